package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.feeds.SelfSigned;
import io.github.untaken.test.database.Console;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each connection of a node is encrypted, the one to the log too, and the server has proved who it is. */
@Tag("ci")
class TlsTest {
    @TempDir
    private Path folder;

    @Test
    void eachConnectionOfANodeIsEncrypted() throws Exception {
        SelfSigned made = SelfSigned.in(folder.resolve("made.p12"));
        made.writeCertificate(folder.resolve("server.crt"));
        Files.setPosixFilePermissions(
                made.writeKey(folder.resolve("server.key")), PosixFilePermissions.fromString("rw-------"));
        try (EmbeddedPostgres server = TestServer.builder()
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", folder.resolve("server.crt").toString())
                .setServerConfig("ssl_key_file", folder.resolve("server.key").toString())
                .start()) {
            String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
            try (Connection console = DriverManager.getConnection(url, TestServer.USER, "")) {
                Console.sql(
                        console,
                        "create table account (id bigint primary key, username text)",
                        "create publication untaken for table account");
                String verified = url + "?sslmode=verify-full&sslrootcert=" + folder.resolve("server.crt");
                try (TestFeed feed = TestFeed.of(verified, false)) {
                    feed.sink().awaitFollowing();
                    Console.sql(console, "insert into account values (1, 'alice')");
                    feed.awaitMark();
                    assertThat(feed.sink().knows("alice")).isTrue();
                    assertThat(
                                    Console.query(
                                            console,
                                            "select string_agg(distinct s.ssl::text, ' ') || count(*) from pg_stat_ssl s"
                                                    + " join pg_stat_activity a using (pid) where a.application_name like 'untaken%'"))
                            .isEqualTo("true2");
                }
            }
        }
    }
}
