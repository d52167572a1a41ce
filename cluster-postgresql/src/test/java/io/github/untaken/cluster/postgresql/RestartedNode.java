package io.github.untaken.cluster.postgresql;

import static io.github.untaken.IdentifierKind.USERNAME;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A process of its own with one checker: it says how long it took to be READY, asks for some names, and stops. */
final class RestartedNode {
    private RestartedNode() {}

    /** The rows of a table, and names that are in no table, so that many need no room on the disk. */
    private record Rows(String url, String table, long synthetic, AtomicInteger scans)
            implements RegisteredIdentifierStore.InColumn,
                    RegisteredIdentifierStore.Barrier,
                    RegisteredIdentifierStore.Identified,
                    RegisteredIdentifierStore.Counted {

        private Connection connect() throws SQLException {
            return DriverManager.getConnection(url, TestServer.USER, "");
        }

        @Override
        public TableColumn column() {
            return new TableColumn(table, "username");
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            try (Connection connection = connect();
                    PreparedStatement statement = connection.prepareStatement(
                            "select exists (select from " + table + " where username = ?)")) {
                statement.setString(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return Presence.of(row.getBoolean(1));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Without it nothing is kept on the disk. */
        @Override
        public DatabaseMark present() {
            try (Connection connection = connect();
                    PreparedStatement statement = connection.prepareStatement("select concat_ws('/', d.oid, d.datname,"
                            + " ?::regclass::oid), pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
                            + " from pg_database d where d.datname = current_database()")) {
                statement.setString(1, table);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return new DatabaseMark(row.getString(1), row.getLong(2));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long count() {
            return 1_000_000 + synthetic;
        }

        @Override
        public void scan(Consumer<String> values) {
            scans.incrementAndGet();
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.setFetchSize(10_000);
                try (ResultSet rows = statement.executeQuery("select username from " + table)) {
                    while (rows.next()) {
                        values.accept(rows.getString(1));
                    }
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            for (long i = 0; i < synthetic; i++) {
                values.accept("synthetic" + i);
            }
        }

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("do $$ begin lock table " + table + " in share row exclusive mode; end $$");
                return true;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** @param arguments address, table, folder, how many names beside the table's, and which names of the table to ask for: from, to */
    public static void main(String[] arguments) {
        String url = arguments[0];
        Rows rows = new Rows(url, arguments[1], Long.parseLong(arguments[3]), new AtomicInteger());
        long begun = System.nanoTime();
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(USERNAME, rows)
                .feed(PostgreSqlFeed.of(url)
                        .user(TestServer.USER)
                        .publication(arguments[1])
                        .keepSlots(true)
                        .build())
                .snapshots(Path.of(arguments[2]))
                .recheckTimeout(Duration.ofSeconds(30))
                .build()) {
            long built = System.nanoTime();
            while (checker.state(USERNAME) != KindState.READY) {
                LockSupport.parkNanos(500_000);
            }
            long ready = System.nanoTime();
            int missing = 0;
            for (int i = Integer.parseInt(arguments[4]); i < Integer.parseInt(arguments[5]); i++) {
                missing += checker.latest(USERNAME, "name" + i).available() ? 1 : 0;
            }
            for (long i = 0; i < rows.synthetic(); i += 1_000) {
                missing += checker.checkInMemory(USERNAME, "synthetic" + i).available() ? 1 : 0;
            }
            long entries = checker.stats(USERNAME).memory().entries();
            long asked = System.nanoTime();
            checker.close();
            System.out.printf(
                    "RESULT scans %d, missing %d, entries %d: built after %.2f s, READY after %.2f s, closed in %.2f s%n",
                    rows.scans().get(),
                    missing,
                    entries,
                    (built - begun) / 1e9,
                    (ready - begun) / 1e9,
                    (System.nanoTime() - asked) / 1e9);
        }
    }
}
