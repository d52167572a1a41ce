package io.github.untaken.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.jpa.JpaIdentifiers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A table of so many people on H2 on disk, or on a server of PostgreSQL or MariaDB started for it, and a Hibernate on it. */
public final class PeopleDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    private static final String COLUMNS = "insert into Person (id, username, note) select x,"
            + " concat('user', x * 7919 % 100000007), 'nothing in particular, only as long as rows are' from ";

    private final String url;
    private final HikariDataSource pool;
    private final EntityManagerFactory factory;
    private final Closeable server;

    private PeopleDatabase(String url, List<String> filling, Closeable server) throws SQLException {
        this.url = url;
        this.server = server;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        this.pool = new HikariDataSource(config);
        this.factory = new PersistenceConfiguration("people")
                .provider("org.hibernate.jpa.HibernatePersistenceProvider")
                .property("jakarta.persistence.nonJtaDataSource", pool)
                .property("jakarta.persistence.schema-generation.database.action", "create")
                .managedClass(Person.class)
                .createEntityManagerFactory();
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String sql : filling) {
                statement.execute(sql);
            }
        }
    }

    /** With the page cache H2 takes by itself, which grows with the heap. */
    static PeopleDatabase of(String engine, int rows) throws IOException, SQLException {
        return of(engine, rows, "");
    }

    /** With a page cache of 1 MB on H2, which holds a small part of the table, as other caches do of larger ones. */
    public static PeopleDatabase withSmallCache(String engine, int rows) throws IOException, SQLException {
        return of(engine, rows, ";CACHE_SIZE=1024");
    }

    /** The name of the row with this number, from 1 on. */
    public static String username(long row) {
        return "user" + row * 7919 % 100_000_007;
    }

    private static PeopleDatabase of(String engine, int rows, String h2Settings) throws IOException, SQLException {
        return switch (engine) {
            case "h2" -> onH2(rows, h2Settings);
            case "postgresql" -> {
                EmbeddedPostgres server = EmbeddedPostgres.builder().start();
                yield new PeopleDatabase(
                        server.getJdbcUrl("postgres", "postgres"),
                        List.of(COLUMNS + "generate_series(1::bigint, " + rows + ") n(x)", "vacuum analyze"),
                        server);
            }
            case "mariadb" -> {
                MariaDbServer server = new MariaDbServer();
                String numbers = "(select seq x from seq_1_to_" + Math.max(1, rows) + ") n where x <= " + rows;
                yield new PeopleDatabase(server.url(), List.of(COLUMNS + numbers, "analyze table Person"), server);
            }
            default -> throw new BadOption("engine must be h2, postgresql or mariadb, but was " + engine);
        };
    }

    private static PeopleDatabase onH2(int rows, String settings) throws IOException, SQLException {
        Path directory = Files.createTempDirectory("people");
        String url = "jdbc:h2:file:" + directory.resolve("people") + ";USER=sa;PASSWORD=;DB_CLOSE_DELAY=-1" + settings;
        return new PeopleDatabase(
                url, List.of(COLUMNS + "system_range(1, " + rows + ") n(x)", "checkpoint sync"), () -> {
                    try (Connection connection = DriverManager.getConnection(url);
                            Statement statement = connection.createStatement()) {
                        statement.execute("shutdown");
                    } catch (SQLException e) {
                        throw new IOException(e);
                    }
                    try (Stream<Path> files = Files.walk(directory)) {
                        files.sorted(Comparator.reverseOrder())
                                .forEach(file -> file.toFile().delete());
                    }
                });
    }

    Connection connection() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** The pool from which Hibernate, too, takes its connections, 16 at most. */
    public DataSource pool() {
        return pool;
    }

    public JpaIdentifiers identifiers() {
        return JpaIdentifiers.of(factory);
    }

    @Override
    public void close() throws IOException {
        factory.close();
        pool.close();
        server.close();
    }
}
