package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.LoggedWarnings;
import io.github.untaken.jpa.hibernate.HibernateLine;
import io.github.untaken.jpa.plain.Visitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.hibernate.resource.transaction.backend.jdbc.internal.JdbcResourceLocalTransactionCoordinatorBuilderImpl;
import org.hibernate.resource.transaction.spi.TransactionCoordinator;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorOwner;
import org.junit.jupiter.api.Test;

/**
 * Merely being on the class path does no harm: the smallest application, run under each line of Hibernate from 6.6 on.
 * {@code .ci/run} has the versions.
 */
class EveryLineTest {
    private static final List<EventType<?>> HEARD = List.of(
            EventType.PRE_INSERT,
            EventType.PRE_UPDATE,
            EventType.PRE_UPSERT,
            EventType.POST_INSERT,
            EventType.POST_UPDATE,
            EventType.POST_UPSERT,
            EventType.PRE_COLLECTION_RECREATE,
            EventType.PRE_COLLECTION_UPDATE,
            EventType.POST_COLLECTION_RECREATE,
            EventType.POST_COLLECTION_UPDATE);

    @Test
    void anApplicationWithoutIdentifiersIsLeftAlone() {
        try (LoggedWarnings warnings = new LoggedWarnings();
                LineDatabase database = new LineDatabase(Book.class)) {
            assertThat(listenersOf(database)).isEmpty();
            writeAndReadBooks(database);
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void anApplicationWithIdentifiersRuns() {
        try (LoggedWarnings warnings = new LoggedWarnings();
                LineDatabase database = new LineDatabase(Book.class, Visitor.class);
                LineDatabase another = new LineDatabase(Book.class, Visitor.class)) {
            assertThat(listenersOf(database).size()).isEqualTo(HibernateLine.isHeard() ? HEARD.size() : 0);
            writeAndReadBooks(database);
            writeAndReadBooks(another);
            assertThat(warnings.messages().size()).isLessThanOrEqualTo(1); // in a JVM, not in a test
            assertThat(warnings.messages())
                    .allMatch(message -> message.contains("leaves Hibernate") && !HibernateLine.isHeard());
        }
    }

    @Test
    void anIdentifierInAnElementIsNotOverlooked() {
        try (LineDatabase database = new LineDatabase(Member.class)) {
            assertThat(listenersOf(database).isEmpty()).isEqualTo(!HibernateLine.isHeard());
            database.inTransaction(entities -> {
                Member member = new Member();
                member.nicknames.add(new Member.Nickname("alice"));
                entities.persist(member);
                return null;
            });
            database.inTransaction(entities -> entities.createQuery("from Member", Member.class)
                    .getSingleResult()
                    .nicknames
                    .add(new Member.Nickname("bob")));
            int nicknames = database.inTransaction(entities -> entities.createQuery("from Member", Member.class)
                    .getSingleResult()
                    .nicknames
                    .size());
            assertThat(nicknames).isEqualTo(2);
        }
    }

    /** One of the application's own, which the registry may have to give services of many kinds. */
    public static final class OwnCoordinators implements TransactionCoordinatorBuilder {
        @Override
        public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
            return new JdbcResourceLocalTransactionCoordinatorBuilderImpl().buildTransactionCoordinator(owner, options);
        }

        @Override
        public boolean isJta() {
            return false;
        }

        @Override
        public PhysicalConnectionHandlingMode getDefaultConnectionHandlingMode() {
            return new JdbcResourceLocalTransactionCoordinatorBuilderImpl().getDefaultConnectionHandlingMode();
        }
    }

    @Test
    void aMakerOfTransactionCoordinatorsOfTheApplicationsOwnIsLeftAlone() {
        try (LineDatabase database = new LineDatabase(
                Map.of("hibernate.transaction.coordinator_class", OwnCoordinators.class.getName()), Book.class)) {
            assertThat(database.sessions()
                            .unwrap(SessionFactoryImplementor.class)
                            .getServiceRegistry()
                            .getService(TransactionCoordinatorBuilder.class))
                    .isInstanceOf(OwnCoordinators.class);
            writeAndReadBooks(database);
        }
    }

    private static List<String> listenersOf(LineDatabase database) {
        EventListenerRegistry registry = database.sessions()
                .unwrap(SessionFactoryImplementor.class)
                .getEventEngine()
                .getListenerRegistry();
        List<String> found = new ArrayList<>();
        for (EventType<?> type : HEARD) {
            for (Object listener : registry.getEventListenerGroup(type).listeners()) {
                if (listener.getClass().getName().startsWith("io.github.untaken.")) {
                    found.add(type.eventName());
                }
            }
        }
        return found;
    }

    /** Each way to write entities and element collections that an application may have. */
    private static void writeAndReadBooks(LineDatabase database) {
        Long id = database.inTransaction(entities -> {
            Book book = new Book("Emma");
            book.tags.addAll(Set.of("novel", "english"));
            book.chapters.add(new Book.Chapter("I"));
            book.translations.put("fr", "La Nouvelle Emma");
            entities.persist(book);
            entities.persist(new Book("Persuasion"));
            return book.id;
        });
        database.inTransaction(entities -> {
            Book book = entities.find(Book.class, id);
            book.title = "Emma (1815)";
            book.tags.remove("english");
            book.tags.add("classic");
            book.chapters = new ArrayList<>(List.of(new Book.Chapter("II"), new Book.Chapter("III")));
            book.translations.clear();
            return null;
        });
        assertThat(summary(database, id)).isEqualTo("Emma (1815) [classic, novel] [II, III] {}");

        database.inTransaction(entities -> entities.createNativeQuery("update Book set title = 'Emma' where id = " + id)
                .executeUpdate());
        database.inTransaction(entities -> entities.createQuery("update Book set title = 'Sanditon' where id <> " + id)
                .executeUpdate());
        try (StatelessSession session = database.sessions().openStatelessSession()) {
            session.beginTransaction();
            Book loose = new Book("Lady Susan");
            session.insert(loose);
            loose.title = "Lady Susan (1794)";
            session.update(loose);
            session.delete(loose);
            session.getTransaction().commit();
        }
        assertThat(summary(database, id)).isEqualTo("Emma [classic, novel] [II, III] {}");

        database.inTransaction(entities -> {
            entities.remove(entities.find(Book.class, id));
            return null;
        });
        List<String> titles = database.inTransaction(entities ->
                entities.createQuery("select b.title from Book b", String.class).getResultList());
        assertThat(titles).containsExactly("Sanditon");
    }

    private static String summary(LineDatabase database, Long id) {
        return database.inTransaction(entities -> {
            Book book = entities.find(Book.class, id);
            return book.title + " " + book.tags.stream().sorted().toList() + " "
                    + book.chapters.stream().map(chapter -> chapter.heading).toList() + " "
                    + Map.copyOf(book.translations);
        });
    }
}
