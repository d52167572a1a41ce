package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Sites;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crashes by the dozen: the file is copied while its database is open, and the copy is what a killed process leaves behind.
 * {@code KillTest} does it for real, but slowly, and the fault this was written for took dozens of crashes to show.
 */
class CrashTest {
    private static final int COMMITS = 5;
    private static final String FILE = "accounts.mv.db";
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @TempDir
    private Path data;

    @Test
    void everyAcknowledgedCommitIsThereAfterACrash() throws Exception {
        crash(5);
    }

    @Test
    @Tag("nightly")
    void everyAcknowledgedCommitIsThereAfterEveryCrash() throws Exception {
        crash(150);
    }

    private void crash(int crashes) throws Exception {
        Sites.configureLogging();
        for (int crash = 0; crash < crashes; crash++) {
            Path before = data.resolve("life" + crash);
            try (DataDirectory directory = DataDirectory.open(before);
                    SampleDatabase database =
                            SampleDatabase.open(directory, new Seeding(2_000), SampleDatabase.Tuning.DEFAULT, NOWHERE);
                    Connection connection = database.dataSource().getConnection()) {
                assertThat(registered(connection)).as("after crash %s", crash).isEqualTo(crash * COMMITS);
                for (int i = 0; i < COMMITS; i++) {
                    register(connection, "crash." + crash + "." + i);
                }
                copy(before, Files.createDirectory(data.resolve("life" + (crash + 1))));
            }
            Files.delete(before.resolve(FILE));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from.resolve(FILE), to.resolve(FILE));
    }

    private static int registered(Connection connection) throws SQLException {
        try (PreparedStatement count =
                        connection.prepareStatement("select count(*) from account where username like 'crash.%'");
                ResultSet result = count.executeQuery()) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void register(Connection connection, String username) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into account (username, display_name, created, version) values (?, ?, current_timestamp, 0)")) {
            insert.setString(1, username);
            insert.setString(2, username);
            insert.executeUpdate();
        }
    }
}
