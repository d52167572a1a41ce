package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.UrlDataSource;
import io.github.untaken.jdbc.paths.PathDatabase;
import io.github.untaken.jdbc.paths.PathTable;
import io.github.untaken.jdbc.paths.Pooling;
import io.github.untaken.jdbc.paths.Way;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The server is killed while everybody writes, and comes back with the same files. What a writer was told is committed is never
 * available, while it is down neither; and nothing that it has kept is, whatever the writer was told.
 */
class KilledServerTest {

    @Test
    void isKilledOnce() throws Exception {
        play(Driver.MARIADB, 1, 40);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void isKilledTenTimes(Driver driver) throws Exception {
        play(driver, 10, 400);
    }

    private record KilledTable(Server server, Driver driver) implements PathTable {
        KilledTable {
            console(server)
                    .sql("create table account (id bigint auto_increment primary key, username varchar(40) unique)");
        }

        private static Console console(Server server) {
            return new Console(Driver.MARIADB.url("untaken", server.port()));
        }

        @Override
        public String name() {
            return "account";
        }

        @Override
        public DataSource dataSource() {
            return new UrlDataSource(driver.url("untaken", server.port()));
        }

        @Override
        public String query(String sql) {
            return console(server).query(sql.replace("TABLE", name()));
        }

        @Override
        public void cutTransactions() {
            throw new UnsupportedOperationException("the whole server is cut here");
        }

        @Override
        public boolean cutAny() {
            return false;
        }

        @Override
        public void close() {
            console(server).sql("drop table account");
        }
    }

    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    private void play(Driver driver, int kills, int names) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Server server = new Server();
                PathDatabase database = new PathDatabase(new KilledTable(server, driver), Pooling.NONE)) {
            List<Future<?>> running = new ArrayList<>();
            for (Way way : Way.values()) {
                running.add(threads.submit(() -> write(database.writer(way))));
            }
            running.add(threads.submit(() -> check(database)));
            for (int i = 0; i < kills; i++) {
                awaitAcknowledged(names);
                server.kill();
                int then = failed.get();
                Eventually.holds("it is felt", () -> failed.get() > then);
                int asked = checks.get();
                Eventually.holds("names are asked for meanwhile", () -> checks.get() > asked);
                server.start();
            }
            awaitAcknowledged(names);
            over.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(wrong).as("acknowledged and called available").isEmpty();
            database.awaitReady();
            List<String> committed = database.committed();
            assertThat(committed).containsAll(acknowledged);
            database.assertNothingCommittedIsAvailable();
            System.out.println(Product.UNDER_TEST + " killed " + kills + " times, driver " + driver + ": "
                    + acknowledged.size()
                    + " names acknowledged, " + committed.size() + " committed, " + failed + " transactions failed, "
                    + checks + " checks, 0 false answers");
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    private void awaitAcknowledged(int more) {
        int enough = acknowledged.size() + more;
        Eventually.holds("they are written", () -> acknowledged.size() >= enough);
    }

    private void write(Way.Writer writer) {
        while (!over.get()) {
            String name = "name" + number.incrementAndGet();
            try {
                if (name.endsWith("7")) {
                    writer.insertAlone(name);
                } else {
                    writer.inTransaction(names -> names.insert(name));
                }
                acknowledged.add(name);
            } catch (RuntimeException e) {
                failed.incrementAndGet(); // nobody knows whether it is committed
            }
        }
    }

    private void check(PathDatabase database) {
        while (!over.get()) {
            int size = acknowledged.size();
            if (size > 0) {
                String name = acknowledged.get(checks.get() % 2 == 0 ? size - 1 : checks.get() % size);
                if (database.status(name) == Status.AVAILABLE) {
                    wrong.add(name);
                }
                checks.incrementAndGet();
            }
        }
    }
}
