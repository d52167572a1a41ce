package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Console;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Base64;
import java.util.List;
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
        makeCertificate();
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

    /** Of its own authority, as the server and the client read it. */
    private void makeCertificate() throws Exception {
        Path store = folder.resolve("server.p12");
        int exit = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
        KeyStore made = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        write("server.crt", "CERTIFICATE", made.getCertificate("server").getEncoded());
        Key key = made.getKey("server", "changeit".toCharArray());
        Path file = write("server.key", "PRIVATE KEY", key.getEncoded());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Path write(String name, String what, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }
}
