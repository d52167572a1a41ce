package io.github.untaken.jpa;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.Status;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A marked attribute that only shows a column vouches for nothing: another attribute writes it, under another value. */
class ReadOnlyAttributesTest {

    @Entity(name = "Shown")
    public static class Shown {
        @Id
        public long id;

        @Column(name = "username")
        public String login;

        @RegisteredIdentifier("username")
        @Column(name = "username", insertable = false, updatable = false)
        public String username;
    }

    @Entity(name = "Person")
    public static class Person {
        @Id
        public String name;
    }

    /** The foreign key is the name. */
    @Entity(name = "Referring")
    public static class Referring {
        @Id
        public long id;

        @ManyToOne
        @JoinColumn(name = "username")
        public Person person;

        @RegisteredIdentifier("username")
        @Column(name = "username", insertable = false, updatable = false)
        public String username;
    }

    @Embeddable
    public static class Nickname {
        @Column(name = "nickname")
        public String text;

        @RegisteredIdentifier("username")
        @Column(name = "nickname", insertable = false, updatable = false)
        public String shown;

        static Nickname of(String text) {
            Nickname nickname = new Nickname();
            nickname.text = text;
            return nickname;
        }
    }

    @Entity(name = "Single")
    public static class Single {
        @Id
        public long id;

        @Embedded
        public Nickname nickname;
    }

    @Entity(name = "Several")
    public static class Several {
        @Id
        public long id;

        @ElementCollection
        public Set<Nickname> nicknames = new HashSet<>();
    }

    private TestDatabase database;
    private AvailabilityChecker checker;

    private void open(Class<?>... entities) {
        database = TestDatabase.on(Engine.H2, Map.of(), entities);
        checker = ReadyCheckers.on(JpaIdentifiers.of(database.factory()));
    }

    @AfterEach
    void close() {
        checker.close();
        database.close();
    }

    private void assertTaken(String name) {
        Consumer<String> taken = when ->
                assertThat(checker.check(USERNAME, name).status()).as(when).isEqualTo(Status.TAKEN);
        taken.accept("at once");
        Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
        taken.accept("after the scan");
    }

    @Test
    void whatAnotherAttributeWritesIsTaken() {
        open(Shown.class);
        database.inTransaction(entities -> {
            Shown shown = new Shown();
            shown.id = 1;
            shown.login = "alice";
            entities.persist(shown);
        });
        assertTaken("alice");
        database.inTransaction(entities -> entities.find(Shown.class, 1L).login = "bobby");
        assertTaken("bobby");
    }

    @Test
    void whatAnAssociationWritesIsTaken() {
        open(Referring.class, Person.class);
        database.inTransaction(entities -> {
            Person person = new Person();
            person.name = "alice";
            entities.persist(person);
            Referring referring = new Referring();
            referring.id = 1;
            referring.person = person;
            entities.persist(referring);
        });
        assertTaken("alice");
    }

    @Test
    void whatAnotherAttributeOfAnEmbeddableWritesIsTaken() {
        open(Single.class);
        database.inTransaction(entities -> {
            Single single = new Single();
            single.id = 1;
            single.nickname = Nickname.of("alice");
            entities.persist(single);
        });
        assertTaken("alice");
    }

    @Test
    void whatAnotherAttributeOfAnElementWritesIsTaken() {
        open(Several.class);
        database.inTransaction(entities -> {
            Several several = new Several();
            several.id = 1;
            several.nicknames.add(Nickname.of("alice"));
            entities.persist(several);
        });
        assertTaken("alice");
        database.statelessInTransaction(session -> {
            Several several = new Several();
            several.id = 2;
            several.nicknames.add(Nickname.of("bobby"));
            session.insert(several);
        });
        assertTaken("bobby");
    }
}
