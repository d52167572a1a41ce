package io.github.untaken.jpa.soak;

import static io.github.untaken.IdentifierKind.USERNAME;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.Account;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.hibernate.Session;

/** Changes names that belong to it alone, in every way an application does, and notes what became of them. */
final class SoakWriter {

    private final TestDatabase database;
    private final AvailabilityChecker checker;
    private final NameBook book;
    private final Truth truth;
    private final int first;
    private final int names;
    private final SplittableRandom random;
    private final Map<String, LongAdder> counts;

    SoakWriter(
            TestDatabase database,
            AvailabilityChecker checker,
            NameBook book,
            Truth truth,
            int first,
            int names,
            long seed,
            Map<String, LongAdder> counts) {
        this.database = database;
        this.checker = checker;
        this.book = book;
        this.truth = truth;
        this.first = first;
        this.names = names;
        this.random = new SplittableRandom(seed);
        this.counts = counts;
    }

    void oneChange() throws SQLException {
        int name = anyName();
        int other = anyName();
        boolean registered = book.isRegistered(name);
        int choice = random.nextInt(20);
        if (name == other) {
            return;
        }
        if (!registered && choice < 2) {
            insertStateless(name);
        } else if (!registered && choice < 3) {
            abandon(name);
        } else if (!registered && choice < 4) {
            inTransaction("insert in a savepoint rolled back", Map.of(name, false), entities -> {
                undone(entities, () -> entities.persist(Account.named(book.name(name))));
            });
        } else if (!registered && choice < 5) {
            if (random.nextInt(10) == 0) { // each costs a scan
                bulkInsert(name);
            }
        } else if (!registered && choice < 6) {
            nativeInsert(name);
        } else if (!registered && book.isRegistered(other)) {
            rename(other, name);
        } else if (!registered && choice < 12) {
            insertBatch(name, other);
        } else if (!registered) {
            inTransaction("insert", Map.of(name, true), entities -> entities.persist(Account.named(book.name(name))));
        } else if (choice < 3) {
            inTransaction("sign-up of a taken name", Map.of(name, true), entities -> {
                entities.persist(Account.named(book.name(name)));
            });
        } else if (choice < 6 && book.isRegistered(other)) {
            swap(name, other);
        } else if (choice < 8) {
            inTransaction("delete in a savepoint rolled back", Map.of(name, true), entities -> {
                undone(entities, () -> entities.remove(find(entities, name)));
            });
        } else if (choice < 10) {
            inTransaction("delete and insert", Map.of(name, true), entities -> {
                entities.remove(find(entities, name));
                entities.flush();
                entities.persist(Account.named(book.name(name)));
            });
        } else if (choice < 12) {
            inTransaction("there and back", Map.of(name, true), entities -> {
                Account account = find(entities, name);
                account.username = book.name(name) + "-moved";
                entities.flush();
                account.username = book.name(name);
            });
        } else if (choice < 13) {
            nativeDelete(name);
        } else {
            inTransaction("delete", Map.of(name, false), entities -> entities.remove(find(entities, name)));
        }
    }

    private int anyName() {
        return first + random.nextInt(names);
    }

    private Account find(EntityManager entities, int name) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", book.name(name))
                .getSingleResult();
    }

    private void rename(int from, int to) throws SQLException {
        Map<Integer, Boolean> effect = new LinkedHashMap<>();
        effect.put(from, false);
        effect.put(to, true);
        inTransaction("rename", effect, entities -> find(entities, from).username = book.name(to));
    }

    private void swap(int one, int other) throws SQLException {
        Map<Integer, Boolean> effect = new LinkedHashMap<>();
        effect.put(one, true);
        effect.put(other, true);
        inTransaction("swap", effect, entities -> {
            Account left = find(entities, one);
            Account right = find(entities, other);
            left.username = book.name(one) + "-swapped";
            entities.flush();
            right.username = book.name(one);
            entities.flush();
            left.username = book.name(other);
        });
    }

    private void insertBatch(int name, int other) throws SQLException {
        Map<Integer, Boolean> effect = new LinkedHashMap<>();
        effect.put(name, true);
        effect.put(other, true); // fails as a whole where the other is taken
        inTransaction("batch", effect, entities -> {
            entities.persist(Account.named(book.name(name)));
            entities.persist(Account.named(book.name(other)));
        });
    }

    private void insertStateless(int name) throws SQLException {
        attempt("stateless insert", Map.of(name, true), () -> {
            database.stateless(session -> session.insert(Account.named(book.name(name))));
            return true;
        });
    }

    /** The pool rolls back what a session leaves open when it is closed. */
    private void abandon(int name) throws SQLException {
        attempt("insert in a session closed too soon", Map.of(name, false), () -> {
            database.stateless(session -> {
                session.beginTransaction();
                session.insert(Account.named(book.name(name)));
            });
            return true;
        });
    }

    private void bulkInsert(int name) throws SQLException {
        attempt("bulk insert", Map.of(name, true), () -> {
            checker.registrations()
                    .bulk(USERNAME, () -> database.inTransaction(entities -> insertBySql(entities, name)));
            return true;
        });
    }

    private void nativeInsert(int name) throws SQLException {
        if (random.nextInt(10) == 0) { // each costs a scan
            inTransaction("native insert", Map.of(name, true), entities -> insertBySql(entities, name));
        }
    }

    private void insertBySql(EntityManager entities, int name) {
        entities.createNativeQuery("insert into Account (id, username) values (nextval('Account_SEQ') * -1, :name)")
                .setParameter("name", book.name(name))
                .executeUpdate();
    }

    private void nativeDelete(int name) throws SQLException {
        if (random.nextInt(10) == 0) {
            inTransaction(
                    "native delete",
                    Map.of(name, false),
                    entities -> entities.createNativeQuery("delete from Account where username = :name")
                            .setParameter("name", book.name(name))
                            .executeUpdate());
        }
    }

    /** Runs work inside a savepoint that is rolled back; its entity events are heard all the same. */
    private static void undone(EntityManager entities, Runnable work) {
        Savepoint[] savepoint = new Savepoint[1];
        Session session = entities.unwrap(Session.class);
        session.doWork(connection -> savepoint[0] = connection.setSavepoint());
        work.run();
        entities.flush();
        session.doWork(connection -> connection.rollback(savepoint[0]));
    }

    private void inTransaction(String what, Map<Integer, Boolean> effect, Consumer<EntityManager> work)
            throws SQLException {
        boolean commits = random.nextInt(4) != 0;
        attempt(what, effect, () -> {
            try (EntityManager entities = database.factory().createEntityManager()) {
                EntityTransaction transaction = entities.getTransaction();
                transaction.begin();
                try {
                    work.accept(entities);
                    entities.flush();
                    if (commits) {
                        transaction.commit();
                    }
                } finally {
                    if (transaction.isActive()) {
                        transaction.rollback();
                    }
                }
            }
            return commits;
        });
    }

    private interface Change {
        /** Whether it was committed. */
        boolean run();
    }

    private void attempt(String what, Map<Integer, Boolean> effect, Change change) throws SQLException {
        List<Integer> touched = new ArrayList<>(effect.keySet());
        Map<Integer, Boolean> before = new LinkedHashMap<>();
        touched.forEach(name -> before.put(name, book.isRegistered(name)));
        touched.forEach(book::busy);
        try {
            boolean committed = change.run();
            String end = committed ? what + ", committed" : what + ", not committed";
            count(end);
            touched.forEach(name -> book.settle(name, committed ? effect.get(name) : before.get(name), end));
        } catch (RuntimeException e) {
            count(what + ", failed");
            for (int name : touched) {
                book.settle(name, truth.afterAllEnded(book.name(name)), what + ", failed");
            }
        }
        if (random.nextInt(20) == 0) {
            int name = touched.get(0);
            if (truth.holds(book.name(name)) != book.isRegistered(name)) {
                throw new AssertionError("the oracle is wrong after: " + what);
            }
        }
    }

    private void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }
}
