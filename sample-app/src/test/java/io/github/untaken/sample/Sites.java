package io.github.untaken.sample;

import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.database.CountingFilePath;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Starts sites in this process and waits for what they do on their own threads. */
public final class Sites {
    public static final int USERS = 2_000;

    private Sites() {}

    public static SignUpSite start(Path data, String... more) throws StartupException {
        return start(data, System.out, more);
    }

    static SignUpSite start(Path data, PrintStream out, String... more) throws StartupException {
        return start(data, out, UnaryOperator.identity(), more);
    }

    static SignUpSite start(Path data, PrintStream out, UnaryOperator<IdentifierSource> source, String... more)
            throws StartupException {
        List<String> arguments = new java.util.ArrayList<>(List.of("--port", "0", "--data", data.toString()));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--users")) {
            arguments.addAll(List.of("--users", String.valueOf(USERS)));
        }
        if (!arguments.contains("--outage-seconds")) {
            arguments.addAll(List.of("--outage-seconds", "0"));
        }
        configureLogging();
        return SignUpSite.start(Options.parse(arguments), out, source);
    }

    /** As the command line does before it starts a site. */
    public static void configureLogging() {
        SignUpSite.configureLogging();
    }

    /** As {@code --headline} does. */
    public static void drawHeadline(SignUpSite site, Path file) throws StartupException {
        site.drawHeadline(file);
    }

    static PrintStream into(ByteArrayOutputStream lines) {
        return new PrintStream(lines, true, StandardCharsets.UTF_8);
    }

    /** Returns when both kinds answer from memory. */
    public static void awaitReady(Client client) {
        Eventually.holds("READY", () -> {
            String stats = client.get("/stats").body();
            return stats.split("\"state\":\"READY\"", -1).length == 3;
        });
    }

    /** A connection of its own to the database of a site, which may be running in this process or not. */
    public static Connection connect(Path data) throws SQLException {
        CountingFilePath.register();
        return DriverManager.getConnection(
                "jdbc:h2:" + CountingFilePath.DURABLE + ":retry:" + data.resolve("accounts")
                        + ";CACHE_SIZE=1024;DB_CLOSE_ON_EXIT=FALSE",
                "sa",
                "");
    }
}
