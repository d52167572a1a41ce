package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Contact;
import io.github.untaken.jpa.entities.Mailbox;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.jpa.plain.Address;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Ticket;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A provider that is not Hibernate: EclipseLink, without weaving. */
class OtherProvidersTest {
    private final RecordingSink sink = new RecordingSink();
    private final EclipseLinkDatabase database =
            new EclipseLinkDatabase(Visitor.class, Guest.class, Address.class, Ticket.class);
    private final JpaIdentifiers source = JpaIdentifiers.of(database.factory());

    @AfterEach
    void close() {
        source.disconnect();
        database.close();
    }

    @Test
    void anInsertIsToldBeforeItsSqlAndAfter() {
        source.connect(sink);
        database.factory().runInTransaction(entities -> {
            entities.persist(new Visitor("alice", "a@x"));
            sink.note("persisted");
        });
        assertThat(sink.lines().subList(0, 4))
                .contains("T1 adding username alice", "T1 adding email a@x")
                .endsWith("T1 lingers", "persisted");
    }

    @Test
    void aNameChangedBetweenPersistAndFlushIsToldBeforeTheCommit() {
        source.connect(sink);
        database.factory().runInTransaction(entities -> {
            Visitor visitor = new Visitor("alice", null);
            entities.persist(visitor);
            visitor.setUsername("bob");
            entities.flush();
            sink.note("flushed");
        });
        assertThat(sink.lines().subList(0, sink.lines().indexOf("flushed")))
                .anyMatch(line -> line.endsWith("adding username bob"));
    }

    private Visitor theVisitor(EntityManager entities) {
        return entities.createQuery("select v from Visitor v", Visitor.class).getSingleResult();
    }

    private void signUp(String name) {
        database.factory().runInTransaction(entities -> entities.persist(new Visitor(name, null)));
    }

    @Test
    void aRenameTellsTheNewNameBeforeTheCommit() {
        signUp("alice");
        source.connect(sink);
        database.factory().runInTransaction(entities -> {
            theVisitor(entities).setUsername("bob");
            entities.flush();
            sink.note("flushed");
        });
        assertThat(sink.lines())
                .containsExactly(
                        "T1 adding username bob", "T1 lingers", "T2 adding username bob", "T2 lingers", "flushed");
    }

    @Test
    void aMergedRenameTellsTheNewName() {
        signUp("alice");
        source.connect(sink);
        Visitor detached = database.factory().callInTransaction(this::theVisitor);
        detached.setUsername("bob");
        database.factory().runInTransaction(entities -> entities.merge(detached));
        assertThat(sink.lines()).contains("T1 adding username bob");
    }

    @Test
    void aDeleteTellsNothing() {
        signUp("alice");
        source.connect(sink);
        database.factory().runInTransaction(entities -> entities.remove(theVisitor(entities)));
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void aSubclassIsTold() {
        source.connect(sink);
        database.factory().runInTransaction(entities -> entities.persist(new Guest("gus")));
        assertThat(sink.lines()).startsWith("T1 adding username gus", "T1 lingers");
    }

    @Test
    void afterDisconnectingNothingIsTold() {
        source.connect(sink);
        source.disconnect();
        database.factory().runInTransaction(entities -> entities.persist(new Visitor("alice", null)));
        assertThat(sink.lines()).isEmpty();
    }

    @Test
    void oneFactoryHasOneChecker() {
        source.connect(sink);
        assertThatThrownBy(() -> source.connect(sink)).hasMessageContaining("another checker");
    }

    @Test
    void aStoreOfASuperclassServesItsSubclasses() {
        database.factory().runInTransaction(entities -> {
            entities.persist(new Guest("gus"));
            entities.persist(new Visitor("alice", "a@x"));
        });
        List<RegisteredIdentifierStore> stores = source.stores().get(IdentifierKind.USERNAME);
        assertThat(stores).extracting(Object::toString).containsExactly("Visitor.username");
        assertThat(scan(stores.get(0))).containsExactlyInAnyOrder("gus", "alice");
        assertThat(stores.get(0).exists("gus", Duration.ofMinutes(1))).isEqualTo(Presence.COUNTED);
        RegisteredIdentifierStore email =
                source.stores().get(IdentifierKind.EMAIL).get(0);
        assertThat(scan(email)).containsExactly("a@x");
        assertThat(email.exists("a@x", Duration.ofMinutes(1))).isEqualTo(Presence.COUNTED);
        assertThat(email.exists("b@x", Duration.ofMinutes(1))).isEqualTo(Presence.ABSENT);
    }

    @Test
    void moreThanAPageIsScanned() {
        database.sql("insert into VISITOR (ID, DTYPE, USERNAME) select x, 'Visitor', 'user' || x"
                + " from system_range(1, 20000)");
        assertThat(scan(source.stores().get(IdentifierKind.USERNAME).get(0)))
                .hasSize(20_000)
                .doesNotHaveDuplicates();
    }

    /** As where the table is shared by tenants, and the mapping names half of its key. */
    @Test
    void rowsThatShareTheirMappedIdAreScanned() {
        database.sql("alter table VISITOR drop primary key");
        database.sql("insert into VISITOR (ID, DTYPE, USERNAME) select x / 7, 'Visitor', 'user' || x"
                + " from system_range(1, 20000)");
        assertThat(scan(source.stores().get(IdentifierKind.USERNAME).get(0)))
                .hasSize(20_000)
                .doesNotHaveDuplicates();
    }

    @Test
    void aKeyOfSeveralPartsIsScanned() {
        database.factory().runInTransaction(entities -> {
            entities.persist(new Ticket("red", "t1"));
            entities.persist(new Ticket("blue", "t2"));
        });
        RegisteredIdentifierStore store =
                source.stores().get(new IdentifierKind("ticket")).get(0);
        assertThat(scan(store)).containsExactlyInAnyOrder("t1", "t2");
        assertThatThrownBy(() -> store.scan(value -> {
                    throw new ArithmeticException("enough");
                }))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void anUnknownEntityOrAttributeIsRefused() {
        assertThatThrownBy(() -> new JpaIdentifierStore(database.factory(), "Nobody", "username"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Nobody");
        assertThatThrownBy(() -> new JpaIdentifierStore(database.factory(), "Visitor", "id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a String");
        assertThatThrownBy(() -> new JpaIdentifierStore(database.factory(), "Visitor", "address.street"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> scan(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    /** Its callback shows null, while another attribute or the database writes a name. */
    @Test
    void anAttributeThatIsNotInsertedIsRefused() {
        try (EclipseLinkDatabase shown = new EclipseLinkDatabase(ReadOnlyAttributesTest.Shown.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(shown.factory()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Shown.username")
                    .hasMessageContaining("insertable = false");
        }
    }

    @Test
    void anElementCollectionIsRefused() {
        try (EclipseLinkDatabase several =
                new EclipseLinkDatabase(Subscriber.class, Subscriber.Papers.class, Contact.class, Mailbox.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(several.factory()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Subscriber.")
                    .hasMessageContaining("collection");
        }
    }

    @Test
    void theListenerIsInertWhereHibernateIsTheProvider() {
        try (TestDatabase hibernate = TestDatabase.of(Visitor.class, Address.class)) {
            Looks.at(JpaIdentifiers.of(hibernate.factory())).connect(sink);
            hibernate.inTransaction(entities -> entities.persist(new Visitor("alice", null)));
            assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 over");
        }
    }
}
