package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * P27 with everything real: all connections of a process are cut, its pool refuses new ones for half a minute, and
 * another process writes. Measures time, so a busy machine may fail it.
 */
@Tag("nightly")
class CutOffTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final long PROMISED = TimeUnit.SECONDS.toNanos(2);
    private static final long WATCHED = TimeUnit.SECONDS.toNanos(8);

    /** Hands out connections until it is cut; then callers wait, as at an empty pool. */
    private static final class Pool {
        private final CountDownLatch end = new CountDownLatch(1);
        private volatile boolean cut;

        DataSource of(String url) {
            return (DataSource) Proxy.newProxyInstance(
                    CutOffTest.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> {
                        if (!method.getName().equals("getConnection")) {
                            return method.getDeclaringClass() == Object.class ? method.invoke(this, arguments) : null;
                        }
                        if (cut && !end.await(30, TimeUnit.SECONDS)) {
                            throw new SQLTransientConnectionException("no connection within 30 s");
                        }
                        return DriverManager.getConnection(url);
                    });
        }
    }

    @Test
    void nothingAnotherProcessWritesIsFreeTwoSecondsAfterTheCut() throws SQLException {
        Pool pool = new Pool();
        try (TestDatabase database = TestDatabase.on(
                        Engine.POSTGRESQL,
                        url -> Map.of("jakarta.persistence.nonJtaDataSource", pool.of(url)),
                        IdentityAccount.class);
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(JpaIdentifiers.of(database.factory()))
                        .build();
                Connection other = database.connection()) {
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            pool.cut = true;
            try (Statement statement = other.createStatement()) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and pid <> pg_backend_pid()");
            }
            long begun = System.nanoTime();
            long lastFree = 0;
            int free = 0;
            int written = 0;
            try (PreparedStatement insert =
                    other.prepareStatement("insert into IdentityAccount (username) values (?)")) {
                for (long now = 0; now < WATCHED; now = System.nanoTime() - begun) {
                    String name = "other" + written++;
                    insert.setString(1, name);
                    insert.executeUpdate();
                    long asked = System.nanoTime() - begun;
                    if (checker.checkInMemory(USERNAME, name).available()) {
                        free++;
                        lastFree = asked;
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                }
            } finally {
                pool.end.countDown();
            }
            System.out.printf(
                    "after the cut %d names written, %d free, the last after %.3f s%n", written, free, lastFree / 1e9);
            assertThat(free)
                    .as("the cut takes a moment to be noticed, or it was none")
                    .isPositive();
            assertThat(lastFree).isLessThan(PROMISED);
        }
    }
}
