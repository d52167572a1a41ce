package io.github.untaken.sample.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.sample.console.Progress;
import io.github.untaken.sample.console.StartupException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.api.ErrorCode;

/**
 * The H2 database of one site: seeded once, opened with a small page cache, and with commits that are on the device before
 * they are acknowledged.
 */
public final class SampleDatabase implements AutoCloseable {

    // Merging a million keys into an index through the small one costs half a minute.
    private static final int SEEDING_CACHE_KIB = 32 * 1024;

    /**
     * What makes a commit durable, together with the file layer's synchronous writes. WRITE_DELAY=0: it is written before it
     * is acknowledged. REUSE_SPACE=FALSE: it is written at the end of the file, where the next start looks for it after a
     * crash. Version 2.5.252 of H2 does not always find it elsewhere: filling a hole that it had not predicted, it writes a
     * file header that still points to the commit before, and all that follows is lost. The price is a file that grows by
     * some 15 KB with each change. CrashTest shows both.
     */
    private static final String DURABLE_COMMITS = ";WRITE_DELAY=0;REUSE_SPACE=FALSE";

    /**
     * Milliseconds that a sign-up waits for another of the same name or number to end, which then decides. H2's 2 seconds are
     * soon over where a commit waits for the device.
     */
    private static final String PATIENCE = ";LOCK_TIMEOUT=10000";

    /**
     * How the file is read.
     *
     * @param pageCacheMegabytes H2's own cache; 1 is the least it accepts, so that the file is really read
     * @param directReads whether reads bypass the operating system's cache
     */
    public record Tuning(int pageCacheMegabytes, boolean directReads) {
        public static final Tuning DEFAULT = new Tuning(1, false);
    }

    private static final String USER = "sa";
    private static final int CONNECTIONS = 16;

    private final DataDirectory directory;
    private final SwitchedSource source = new SwitchedSource();
    private final Tuning tuning;
    private final int seededUsers;

    private SampleDatabase(DataDirectory directory, HikariDataSource pool, Tuning tuning, int seededUsers) {
        this.directory = directory;
        source.use(pool);
        this.tuning = tuning;
        this.seededUsers = seededUsers;
    }

    /**
     * Opens the database of a directory, and seeds a new one first where there is none.
     *
     * @param seeding tells meanwhile how far that is
     */
    public static SampleDatabase open(DataDirectory directory, Seeding seeding, Tuning wanted, PrintStream out)
            throws StartupException {
        CountingFilePath.register();
        if (!directory.hasDatabase()) {
            seed(directory, seeding, out);
        }
        return opened(directory, possible(directory, wanted, out));
    }

    private static Tuning possible(DataDirectory directory, Tuning wanted, PrintStream out) {
        if (!wanted.directReads()) {
            return wanted;
        }
        return DirectFile.obstacle(directory.databaseFile())
                .map(obstacle -> {
                    out.println("Direct reads are not possible here (" + obstacle
                            + "); the operating system's cache stays between the database and the device");
                    return new Tuning(wanted.pageCacheMegabytes(), false);
                })
                .orElse(wanted);
    }

    private static void seed(DataDirectory directory, Seeding seeding, PrintStream out) throws StartupException {
        long begun = System.nanoTime();
        out.printf(Locale.ROOT, "Seeding %,d accounts into %s%n", seeding.users(), directory);
        try (Progress lines = new Progress(out, seeding::line)) {
            lines.start();
            Path file = directory.newDatabase();
            try (Connection connection = DriverManager.getConnection(
                            url(CountingFilePath.BUFFERED, file, SEEDING_CACHE_KIB, ""), USER, "");
                    Statement statement = connection.createStatement()) {
                seeding.fill(connection);
                statement.execute("shutdown");
            }
            directory.completeDatabase();
            seeding.filled();
        } catch (SQLException | IOException e) {
            throw new StartupException(
                    "the database in " + directory + " could not be seeded (" + lastCause(e)
                            + "); look whether the disk is full, or name another directory by --data",
                    e);
        }
        out.printf(Locale.ROOT, "Seeded in %.1f s%n", (System.nanoTime() - begun) / 1e9);
    }

    private static SampleDatabase opened(DataDirectory directory, Tuning tuning) throws StartupException {
        HikariDataSource pool = null;
        try {
            pool = new HikariDataSource(pooled(directory, tuning));
            return new SampleDatabase(directory, pool, tuning, seededUsers(pool));
        } catch (RuntimeException | SQLException e) {
            if (pool != null) {
                pool.close();
            }
            throw new StartupException(
                    "the database in " + directory + " cannot be opened (" + lastCause(e)
                            + "); "
                            + (isOpenElsewhere(e)
                                    ? "another program has it open: end that, or name another directory"
                                    : "name another directory, or delete this one to start over"),
                    e);
        }
    }

    private static boolean isOpenElsewhere(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refusal && refusal.getErrorCode() == ErrorCode.DATABASE_ALREADY_OPEN_1) {
                return true;
            }
        }
        return false;
    }

    private static HikariConfig pooled(DataDirectory directory, Tuning tuning) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(openUrl(directory, tuning));
        config.setUsername(USER);
        config.setPassword("");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(5_000);
        config.setPoolName("accounts");
        config.setExceptionOverride(new ClosedDatabase());
        return config;
    }

    private static String openUrl(DataDirectory directory, Tuning tuning) {
        return url(
                tuning.directReads() ? CountingFilePath.DIRECT : CountingFilePath.DURABLE,
                directory.database(),
                tuning.pageCacheMegabytes() * 1024,
                ";IFEXISTS=TRUE" + PATIENCE + DURABLE_COMMITS);
    }

    private static String url(String scheme, Path file, int cacheKib, String settings) {
        // Below ours lies H2's layer that reopens a file which an interrupted thread has closed.
        return "jdbc:h2:" + scheme + ":retry:" + file + ";CACHE_SIZE=" + cacheKib + ";DB_CLOSE_ON_EXIT=FALSE"
                + ";DB_CLOSE_DELAY=-1" + settings;
    }

    private static int seededUsers(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select seeded_users from site")) {
            if (!result.next()) {
                throw new SQLException("it is not a database of this application");
            }
            return result.getInt(1);
        }
    }

    private static String lastCause(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage()).lines().findFirst().orElse("");
    }

    public DataSource dataSource() {
        return source;
    }

    /** How many accounts it was seeded with, at this start or an earlier one. */
    public int seededUsers() {
        return seededUsers;
    }

    public long pageCacheBytes() {
        return tuning.pageCacheMegabytes() * 1024L * 1024;
    }

    /** Whether reads really bypass the operating system's cache, not whether that was asked for. */
    public boolean directReads() {
        return tuning.directReads();
    }

    public long fileBytes() {
        try {
            return directory.databaseBytes();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Whether it gives connections. */
    public boolean running() {
        return source.usable();
    }

    /**
     * Ends the database for real: its connections, then the database itself, so that its file is closed. Connections are
     * refused until {@link #start}. False if it did not run.
     */
    public synchronized boolean stop() {
        Optional<HikariDataSource> pool = source.takeAway();
        if (pool.isEmpty()) {
            return false;
        }
        pool.get().close();
        try (Connection connection = DriverManager.getConnection(openUrl(directory, tuning), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        } catch (SQLException e) {
            System.getLogger(SampleDatabase.class.getName())
                    .log(System.Logger.Level.WARNING, "The database did not shut down cleanly", e);
        }
        return true;
    }

    /** Opens the database again after {@link #stop}. False if it runs already. */
    public synchronized boolean start() throws SQLException {
        if (source.usable()) {
            return false;
        }
        try {
            source.use(new HikariDataSource(pooled(directory, tuning)));
        } catch (RuntimeException e) {
            throw new SQLException("the database cannot be opened again", e);
        }
        return true;
    }

    /** As {@link #stop}. What was committed is safe without this; the next start is quicker with it. */
    @Override
    public void close() {
        stop();
    }
}
