package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.test.log.LoggedLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.StatelessSession;
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
    @Test
    void anApplicationWithoutIdentifiersIsLeftAlone() {
        try (LoggedLines log = new LoggedLines();
                LineDatabase database = new LineDatabase(Book.class)) {
            writeAndReadBooks(database);
            assertThat(classOfConnectionIn(database)).startsWith("org.h2.");
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void anApplicationWithIdentifiersRunsAndIsHandedItsOwnConnections() {
        try (LoggedLines log = new LoggedLines();
                LineDatabase database = new LineDatabase(Book.class, Visitor.class);
                LineDatabase another = new LineDatabase(Book.class, Visitor.class)) {
            writeAndReadBooks(database);
            writeAndReadBooks(another);
            assertThat(classOfConnectionIn(database)).startsWith("org.h2.");
            assertThat(log.warnings()).isEmpty();
        }
    }

    private static String classOfConnectionIn(LineDatabase database) {
        return database.sessions()
                .fromSession(session -> session.doReturningWork(
                        connection -> connection.getClass().getName()));
    }

    /** Under a checker the application has the same, over connections that are watched. */
    @Test
    void anApplicationRunsUnderAChecker() {
        try (LineDatabase database = new LineDatabase(Book.class, Visitor.class);
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(JpaIdentifiers.of(database.factory()))
                        .normalizer(IdentifierKind.EMAIL, UsernameNormalizer.defaults())
                        .singleWriter(false)
                        .build()) {
            writeAndReadBooks(database);
            assertThat(checker.kinds()).isNotEmpty();
        }
    }

    /** One of the application's own, which the registry may have to give services of many kinds. */
    public static final class OwnCoordinators implements TransactionCoordinatorBuilder {
        static final AtomicInteger ASKED = new AtomicInteger();

        @Override
        public TransactionCoordinator buildTransactionCoordinator(TransactionCoordinatorOwner owner, Options options) {
            ASKED.incrementAndGet();
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
    void aMakerOfTransactionCoordinatorsOfTheApplicationsOwnIsAsked() {
        try (LineDatabase database = new LineDatabase(
                Map.of("hibernate.transaction.coordinator_class", OwnCoordinators.class.getName()), Book.class)) {
            int before = OwnCoordinators.ASKED.get();
            writeAndReadBooks(database);
            assertThat(OwnCoordinators.ASKED.get()).isGreaterThan(before);
        }
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
