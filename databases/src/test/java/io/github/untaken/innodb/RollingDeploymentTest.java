package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that know nothing of one another, and take one another's place while people sign up. */
class RollingDeploymentTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final int SUCCESSORS = 3;
    private static final int SIGN_UPS = 20;

    /** An application with a pool and a checker of its own, over the table of its name. */
    private record Node(
            HikariDataSource pool,
            DataSource watched,
            AvailabilityChecker checker,
            String table,
            ReadWriteLock draining)
            implements AutoCloseable {
        static Node start(Table table) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(table.driver().url("untaken"));
            pool.setMaximumPoolSize(8);
            JdbcIdentifiers identifiers =
                    JdbcIdentifiers.of(pool, IdentifierTable.of(table.name(), "username", USERNAME));
            AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(identifiers)
                    .recheckTimeout(Duration.ofSeconds(30))
                    .build();
            return new Node(
                    pool, WatchedDataSource.of(pool, identifiers), checker, table.name(), new ReentrantReadWriteLock());
        }

        /** As the mapper of xxl-job writes it. */
        void signUp(String name) throws SQLException {
            try (Connection connection = watched.getConnection();
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                            + " ( username, password, role, permission ) VALUES ( ?, ?, ?, ? );")) {
                insert.setString(1, name);
                insert.setString(2, "5f4dcc3b5aa765d61d8327deb882cf99");
                insert.setInt(3, 0);
                insert.setString(4, null);
                insert.executeUpdate();
            }
        }

        boolean isReady() {
            return checker.state(USERNAME) == KindState.READY;
        }

        @Override
        public void close() { // once those who ask have their answers
            draining.writeLock().lock();
            checker.close();
            pool.close();
        }
    }

    /** What the answers of all nodes were, as a balancer in front of them sees them. */
    private static final class Balancer {
        final List<Node> nodes = new CopyOnWriteArrayList<>();
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger unanswered = new AtomicInteger();
        final AtomicInteger falselyFree = new AtomicInteger();
        final Set<DecidedBy> freeBy = ConcurrentHashMap.newKeySet();
        volatile boolean over;

        void ask(List<String> acknowledged) {
            while (!over) {
                int known = acknowledged.size();
                if (known > 0) {
                    String name = acknowledged.get(ThreadLocalRandom.current().nextInt(known));
                    count(name, true);
                }
                count("nobody-" + asked.get(), false);
            }
        }

        private void count(String name, boolean taken) {
            Node node = nodes.get(ThreadLocalRandom.current().nextInt(nodes.size()));
            if (!node.draining().readLock().tryLock()) {
                return; // it is about to end: another is asked
            }
            try {
                Verdict answer = node.checker().check(USERNAME, name);
                asked.incrementAndGet();
                if (answer.status() == Status.UNKNOWN) {
                    unanswered.incrementAndGet();
                } else if (answer.status() == Status.AVAILABLE) {
                    if (taken) {
                        falselyFree.incrementAndGet();
                    } else {
                        freeBy.add(answer.decidedBy());
                    }
                }
            } finally {
                node.draining().readLock().unlock();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyNameIsAnsweredAndNoneThatIsCommittedIsCalledFree(Driver driver) throws Exception {
        try (Table table = new Table(
                driver,
                "username varchar(50) character set utf8mb4 not null",
                "password varchar(50) not null",
                "role tinyint(4) not null",
                "permission varchar(255)",
                "unique key i_username (username)")) {
            Balancer balancer = new Balancer();
            List<String> acknowledged = new CopyOnWriteArrayList<>();
            List<CompletableFuture<Void>> askers = new ArrayList<>();
            Node last = Node.start(table);
            try {
                balancer.nodes.add(last);
                Eventually.holds("alone", last::isReady);
                for (int i = 0; i < 3; i++) {
                    askers.add(CompletableFuture.runAsync(() -> balancer.ask(acknowledged)));
                }
                for (int successor = 0; successor < SUCCESSORS; successor++) {
                    Node next = Node.start(table);
                    balancer.nodes.add(next);
                    signUp(balancer.nodes, acknowledged);
                    balancer.nodes.remove(last);
                    last.close();
                    last = next;
                    signUp(balancer.nodes, acknowledged);
                    Eventually.holds("alone again", last::isReady);
                    signUp(balancer.nodes, acknowledged);
                }
            } finally {
                balancer.over = true;
                for (CompletableFuture<Void> each : askers) {
                    each.join();
                }
                balancer.nodes.forEach(Node::close);
            }
            assertThat(balancer.falselyFree).hasValue(0);
            assertThat(balancer.unanswered).hasValue(0);
            assertThat(balancer.freeBy).containsAll(EnumSet.of(DecidedBy.FILTER, DecidedBy.STORE));
            assertThat(acknowledged).hasSize(3 * SUCCESSORS * SIGN_UPS);
            System.out.println("rolling deployment, " + driver + ": " + balancer.asked + " answers");
        }
    }

    /** By each node in turn. */
    private static void signUp(List<Node> nodes, List<String> acknowledged) throws SQLException {
        for (int i = 0; i < SIGN_UPS; i++) {
            String name = "worker" + acknowledged.size();
            nodes.get(i % nodes.size()).signUp(name);
            acknowledged.add(name);
        }
    }
}
