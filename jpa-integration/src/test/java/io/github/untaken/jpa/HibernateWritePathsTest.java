package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.AccountView;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Computed;
import io.github.untaken.jpa.entities.Contact;
import io.github.untaken.jpa.entities.Customer;
import io.github.untaken.jpa.entities.Ghost;
import io.github.untaken.jpa.entities.Handle;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Owner;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Reader;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.SeatId;
import io.github.untaken.jpa.entities.Shape;
import io.github.untaken.jpa.entities.Sparing;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.jpa.entities.Unchecked;
import io.github.untaken.jpa.entities.Versioned;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import org.hibernate.Hibernate;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each way of writing through Hibernate tells the registry, in which order, and how it ends. */
class HibernateWritePathsTest {
    private final RecordingSink sink = new RecordingSink();
    private TestDatabase database;

    private TestDatabase open(Class<?>... entities) {
        return open(Map.of(), entities);
    }

    private TestDatabase open(Map<String, ?> settings, Class<?>... entities) {
        database = TestDatabase.with(settings, entities);
        Looks.at(JpaIdentifiers.of(database.factory())).connect(sink);
        return database;
    }

    @AfterEach
    void close() {
        if (database != null) {
            assertThat(sink.open()).isZero();
            database.close();
        }
    }

    @Test
    void anInsertIsToldAtTheFlushAndOverAfterTheCommit() {
        open(Account.class).inTransaction(entities -> {
            entities.persist(new Account("alice", "+49301"));
            sink.note("persisted");
            entities.flush();
            sink.note("flushed");
        });
        assertThat(sink.texts())
                .containsExactly("persisted", "adding phone +49301", "adding username alice", "flushed", "over");
    }

    @Test
    void anIdentityInsertIsAnnouncedInsidePersist() {
        open(IdentityAccount.class).inTransaction(entities -> {
            entities.persist(new IdentityAccount("alice"));
            sink.note("persisted");
        });
        assertThat(sink.texts()).containsExactly("adding username alice", "persisted", "over");
    }

    @Test
    void nullIsNoIdentifier() {
        open(Account.class).inTransaction(entities -> entities.persist(new Account(null, null)));
        assertThat(sink.texts()).isEmpty();
    }

    @Test
    void aRenameTellsTheNewName() {
        open(Account.class).inTransaction(entities -> entities.persist(Account.named("alice")));
        sink.take();
        database.inTransaction(entities -> find(entities, "alice").username = "bob");
        assertThat(sink.texts()).containsExactly("adding username bob", "over");
    }

    @Test
    void anotherAttributeWritesTheNameBack() {
        open(Account.class).inTransaction(entities -> entities.persist(Account.named("alice")));
        sink.take();
        database.inTransaction(entities -> find(entities, "alice").city = "Berlin");
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void anotherAttributeWritesTheNameBackUnderAVersionToo() {
        open(Versioned.class).inTransaction(entities -> entities.persist(new Versioned("alice")));
        sink.take();
        database.inTransaction(entities ->
                entities.createQuery("from Versioned", Versioned.class).getSingleResult().city = "Berlin");
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    @Test
    void anotherAttributeWritesNothingBackWhereOnlyChangedColumnsAreSent() {
        open(Sparing.class).inTransaction(entities -> entities.persist(new Sparing("alice", "a@x")));
        sink.take();
        database.inTransaction(entities -> {
            Sparing sparing =
                    entities.createQuery("from Sparing", Sparing.class).getSingleResult();
            sparing.mailbox.box = "work"; // an embeddable is sent whole
        });
        assertThat(sink.texts()).containsExactly("adding email a@x", "over");
    }

    @Test
    void anotherCaseIsAnotherValueAndIsTold() {
        open(Account.class).inTransaction(entities -> entities.persist(Account.named("alice")));
        sink.take();
        database.inTransaction(entities -> find(entities, "alice").username = "Alice");
        assertThat(sink.texts()).containsExactly("adding username Alice", "over");
    }

    @Test
    void aMergedRenameTellsTheNewName() {
        open(Account.class);
        Account account = Account.named("alice");
        database.inTransaction(entities -> entities.persist(account));
        sink.take();
        account.username = "bob";
        database.inTransaction(entities -> entities.merge(account));
        assertThat(sink.texts()).containsExactly("adding username bob", "over");
    }

    @Test
    void whatRemovesANameTellsNothing() {
        open(Account.class).inTransaction(entities -> entities.persist(new Account("alice", "+49301")));
        sink.take();
        database.inTransaction(entities -> find(entities, "alice").username = null);
        assertThat(sink.texts()).noneMatch(line -> line.contains("username"));
        sink.take();
        database.inTransaction(entities -> entities.remove(
                entities.createQuery("from Account", Account.class).getSingleResult()));
        assertThat(sink.texts()).isEmpty();
    }

    @Test
    void cascadesAndOrphansAreEntitiesLikeOthers() {
        open(Owner.class, Handle.class)
                .inTransaction(entities -> entities.persist(new Owner().add("a").add("b")));
        assertThat(sink.takeTexts()).containsExactly("adding handle a", "adding handle b", "over");
        database.inTransaction(entities -> owner(entities).handles.remove(0));
        database.inTransaction(entities -> entities.remove(owner(entities)));
        assertThat(sink.takeTexts()).isEmpty();
    }

    private static Owner owner(EntityManager entities) {
        return entities.createQuery("from Owner", Owner.class).getSingleResult();
    }

    @Test
    void embeddedIdentifiersAreReadHoweverTheyChange() {
        open(Reader.class).inTransaction(entities -> entities.persist(new Reader(new Contact("a@x"))));
        assertThat(sink.takeTexts()).containsExactly("adding email a@x", "over");
        database.inTransaction(entities -> reader(entities).contact.mailbox.email = "b@x");
        assertThat(sink.takeTexts()).containsExactly("adding email b@x", "over");
        database.inTransaction(entities -> reader(entities).contact = new Contact("c@x"));
        assertThat(sink.takeTexts()).containsExactly("adding email c@x", "over");
        database.inTransaction(entities -> reader(entities).contact = null);
        assertThat(sink.takeTexts()).isEmpty();
        database.inTransaction(entities -> reader(entities).contact = new Contact("d@x"));
        assertThat(sink.takeTexts()).containsExactly("adding email d@x", "over");
        database.inTransaction(entities -> entities.remove(reader(entities)));
        assertThat(sink.takeTexts()).isEmpty();
    }

    private static Reader reader(EntityManager entities) {
        return entities.createQuery("from Reader", Reader.class).getSingleResult();
    }

    @Test
    void anIdentifierInAMappedSuperclassIsRead() {
        open(Customer.class).inTransaction(entities -> entities.persist(new Customer("alice")));
        database.inTransaction(entities -> entities.createQuery("from Customer", Customer.class)
                .getSingleResult()
                .setUsername("bob"));
        assertThat(sink.texts()).containsExactly("adding username alice", "over", "adding username bob", "over");
    }

    @Test
    void aJoinedSubclassHasItsParentsIdentifierAndItsOwn() {
        open(Party.class, Company.class).inTransaction(entities -> entities.persist(new Company("acme", "de1")));
        assertThat(sink.takeTexts()).containsExactlyInAnyOrder("adding tax-number de1", "adding username acme", "over");
        database.inTransaction(entities -> company(entities).username = "acme2");
        assertThat(sink.takeTexts()).containsExactlyInAnyOrder("adding username acme2", "over");
        database.inTransaction(entities -> company(entities).taxNumber = "de2");
        // Hibernate checks the row counts of the table with the primary key only.
        assertThat(sink.takeTexts()).containsExactlyInAnyOrder("adding tax-number de2", "over");
        database.inTransaction(entities -> entities.remove(company(entities)));
        assertThat(sink.takeTexts()).isEmpty();
    }

    private static Company company(EntityManager entities) {
        return entities.createQuery("from Company", Company.class).getSingleResult();
    }

    @Test
    void concreteSubclassesOfAnAbstractEntityAreRead() {
        open(Shape.class, Shape.Circle.class, Shape.Square.class).inTransaction(entities -> {
            Shape.Circle circle = new Shape.Circle();
            circle.name = "round";
            entities.persist(circle);
            Shape.Square square = new Shape.Square();
            square.name = "edgy";
            entities.persist(square);
        });
        assertThat(sink.texts()).containsExactly("adding shape round", "adding shape edgy", "over");
    }

    @Test
    void anIdentifierThatIsThePrimaryKeyIsRead() {
        open(NamedById.class).inTransaction(entities -> entities.persist(new NamedById("alice")));
        database.inTransaction(entities -> entities.find(NamedById.class, "alice").city = "Berlin");
        database.inTransaction(entities -> entities.remove(entities.find(NamedById.class, "alice")));
        database.stateless(session -> session.upsert(new NamedById("bob")));
        assertThat(sink.texts()).containsExactly("adding username alice", "over", "adding username bob", "over");
    }

    @Test
    void anIdentifierThatIsPartOfThePrimaryKeyIsRead() {
        open(Seat.class).inTransaction(entities -> entities.persist(new Seat("red", "a7")));
        database.inTransaction(entities -> entities.remove(entities.find(Seat.class, new SeatId("red", "a7"))));
        assertThat(sink.texts()).containsExactly("adding seat a7", "over");
    }

    @Test
    void aSoftDeleteLeavesTheNameTaken() {
        open(Ghost.class).inTransaction(entities -> entities.persist(new Ghost("alice")));
        sink.take();
        database.inTransaction(entities ->
                entities.remove(entities.createQuery("from Ghost", Ghost.class).getSingleResult()));
        assertThat(sink.texts()).isEmpty();
    }

    @Test
    void aValueMadeByTheDatabaseIsUnseen() {
        open(Computed.class).inTransaction(entities -> {
            entities.persist(new Computed("Alice"));
            entities.flush();
            sink.note("flushed");
        });
        assertThat(sink.takeTexts()).containsExactly("unseen username", "flushed", "over");
        database.inTransaction(entities ->
                entities.createQuery("from Computed", Computed.class).getSingleResult().display = "Bob");
        assertThat(sink.takeTexts()).containsExactly("unseen username", "over");
    }

    @Test
    void whatTheApplicationsOwnSqlSendsIsTold() {
        open(Unchecked.class).inTransaction(entities -> entities.persist(new Unchecked("alice")));
        sink.take();
        database.inTransaction(entities ->
                entities.createQuery("from Unchecked", Unchecked.class).getSingleResult().username = "bob");
        database.inTransaction(entities -> entities.remove(
                entities.createQuery("from Unchecked", Unchecked.class).getSingleResult()));
        assertThat(sink.texts()).containsExactly("adding username bob", "over");
    }

    @Test
    void aBatchAnnouncesEveryRowOnce() {
        open(Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "10"), Account.class).inTransaction(entities -> {
            for (String name : List.of("a", "b", "c")) {
                entities.persist(Account.named(name));
            }
        });
        assertThat(sink.texts()).containsExactly("adding username a", "adding username b", "adding username c", "over");
    }

    @Test
    void aSwapOfTwoNamesIsToldInTheOrderOfItsStatements() {
        open(Account.class).inTransaction(entities -> {
            entities.persist(Account.named("alice"));
            entities.persist(Account.named("bob"));
        });
        sink.take();
        database.inTransaction(entities -> {
            Account alice = find(entities, "alice");
            Account bob = find(entities, "bob");
            alice.username = "someone";
            entities.flush();
            bob.username = "alice";
            entities.flush();
            alice.username = "bob";
        });
        assertThat(sink.texts())
                .containsExactly("adding username someone", "adding username alice", "adding username bob", "over");
    }

    @Test
    void aStatelessSessionInATransactionIsOverWithIt() {
        open(Account.class).statelessInTransaction(session -> {
            Account account = Account.named("alice");
            session.insert(account);
            account.username = "bob";
            session.update(account);
            session.delete(account);
            sink.note("done");
        });
        assertThat(sink.texts()).containsExactly("adding username alice", "adding username bob", "done", "over");
    }

    @Test
    void eachWriteOfAStatelessSessionUnderAutocommitIsOverAtOnce() {
        open(IdentityAccount.class).stateless(session -> {
            session.insert(new IdentityAccount("alice"));
            sink.note("inserted");
            session.insert(new IdentityAccount("bob"));
        });
        assertThat(sink.texts())
                .containsExactly("adding username alice", "over", "inserted", "adding username bob", "over");
    }

    @Test
    void aRefusedAutocommitInsertIsOver() {
        open(IdentityAccount.class).stateless(session -> {
            session.insert(new IdentityAccount("alice"));
            sink.take();
            try {
                session.insert(new IdentityAccount("alice"));
            } catch (RuntimeException e) {
                sink.note("refused");
            }
            session.insert(new IdentityAccount("bob"));
        });
        assertThat(sink.texts())
                .containsExactly("adding username alice", "over", "refused", "adding username bob", "over");
    }

    @Test
    void manyRowsUnderAutocommitAreOverOneByOne() {
        open(Account.class).stateless(session -> {
            session.insertMultiple(List.of(Account.named("a"), Account.named("b")));
            sink.note("sent");
        });
        assertThat(sink.texts()).containsExactly("adding username a", "over", "adding username b", "over", "sent");
    }

    @Test
    void manyRowsInATransactionAreOverWithIt() {
        open(Account.class).statelessInTransaction(session -> {
            session.insertMultiple(List.of(Account.named("a"), Account.named("b")));
            sink.note("sent");
        });
        assertThat(sink.texts()).containsExactly("adding username a", "adding username b", "sent", "over");
    }

    @Test
    void anUpsertIsTold() {
        open(NamedById.class).statelessInTransaction(session -> {
            session.upsert(new NamedById("alice"));
            sink.note("sent");
        });
        assertThat(sink.texts()).containsExactly("adding username alice", "sent", "over");
    }

    @Test
    void elementsOfACollectionAreToldBeforeTheirSql() {
        open(Subscriber.class).inTransaction(entities -> {
            Subscriber subscriber = new Subscriber(1);
            subscriber.phones.add("+1");
            subscriber.aliases.addAll(List.of("a", "b"));
            entities.persist(subscriber);
        });
        assertThat(sink.takeTexts())
                .containsExactlyInAnyOrder("adding phone +1", "adding alias a", "adding alias b", "over");
        database.inTransaction(entities -> {
            Subscriber subscriber = entities.find(Subscriber.class, 1L);
            subscriber.phones.add("+2");
            subscriber.aliases.remove(0); // the row of the first now holds the second
        });
        assertThat(sink.takeTexts()).containsExactlyInAnyOrder("adding phone +2", "adding alias b", "over");
        database.inTransaction(entities -> {
            Subscriber subscriber = entities.find(Subscriber.class, 1L);
            subscriber.phones.size();
            subscriber.phones = null;
        });
        assertThat(sink.takeTexts()).isEmpty();
    }

    @Test
    void aCollectionThatIsNotLoadedStaysSo() {
        open(Subscriber.class).inTransaction(entities -> {
            Subscriber subscriber = new Subscriber(1);
            subscriber.phones.add("+1");
            entities.persist(subscriber);
        });
        sink.take();
        database.inTransaction(entities -> {
            Subscriber subscriber = entities.find(Subscriber.class, 1L);
            subscriber.city = "Berlin";
            entities.flush();
            assertThat(Hibernate.isInitialized(subscriber.phones)).isFalse();
            entities.remove(subscriber);
            entities.flush();
            assertThat(Hibernate.isInitialized(subscriber.phones)).isFalse();
        });
        assertThat(sink.texts()).isEmpty();
        database.inTransaction(entities -> {
            Subscriber subscriber = new Subscriber(2);
            subscriber.phones.add("+2");
            entities.persist(subscriber);
        });
        Subscriber detached = database.sessions().fromTransaction(session -> session.find(Subscriber.class, 2L));
        sink.take();
        database.statelessInTransaction(session -> session.update(detached));
        assertThat(sink.texts()).isEmpty();
    }

    /** In which nothing is marked. */
    @Test
    void anotherMappingOfTheTableIsToldLikeTheMarkedOne() {
        open(Account.class, AccountView.class)
                .inTransaction(entities -> entities.persist(new AccountView(1L, "alice")));
        database.inTransaction(entities -> entities.find(AccountView.class, 1L).username = "bobby");
        database.inTransaction(entities -> entities.remove(entities.find(AccountView.class, 1L)));
        assertThat(sink.texts()).containsExactly("adding username alice", "over", "adding username bobby", "over");
    }

    @Test
    void whatAnInspectorOfTheApplicationMakesOfATextIsTold() {
        StatementInspector renaming =
                sql -> sql.replace("'placeholder'", "'alice'").replace("Placeholders", "Account");
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, renaming), Account.class)
                .inTransaction(entities -> entities.createNativeQuery(
                                "insert into Placeholders (id, username) values (1000, 'placeholder')", Integer.class)
                        .executeUpdate());
        assertThat(sink.texts()).containsExactly("adding username alice", "over");
    }

    private static Account find(EntityManager entities, String username) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", username)
                .getSingleResult();
    }
}
