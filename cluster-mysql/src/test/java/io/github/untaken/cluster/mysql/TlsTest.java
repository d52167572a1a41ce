package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.SelfSigned;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each connection of a node is encrypted, the one to the log too, and the server has proved who it is; and the login may change. */
@Tag("ci")
@Timeout(value = 2, unit = TimeUnit.MINUTES) // a connection that is made in spite of all is read for ever
class TlsTest {
    private static final String SECRET = "changeit";

    @TempDir
    private static Path folder;

    private static Server server;

    /** With a user who is let in over encrypted connections alone. */
    private static synchronized Server server() throws Exception {
        if (server == null) {
            SelfSigned made = SelfSigned.in(folder.resolve("made.p12"));
            made.writeCertificate(folder.resolve("server.crt"));
            Path key = made.writeKey(folder.resolve("server.key"));
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
            trust("server.p12", made.certificate());
            trust("other.p12", SelfSigned.in(folder.resolve("other-made.p12")).certificate());
            server = TestServer.started(
                    "--loose-ssl=ON",
                    "--ssl-ca=" + folder.resolve("server.crt"),
                    "--ssl-cert=" + folder.resolve("server.crt"),
                    "--ssl-key=" + key);
            TestServer.sql(
                    server,
                    "create table account (id int auto_increment primary key, username varchar(100))",
                    "create user sealed@localhost identified by 'one' require ssl",
                    "grant all on *.* to sealed@localhost");
        }
        return server;
    }

    @BeforeAll
    static void openFolder() throws IOException {
        Files.setPosixFilePermissions(
                folder, PosixFilePermissions.fromString("rwxr-xr-x")); // the server is another user
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static void trust(String file, Certificate certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", certificate);
        try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
            trusted.store(out, SECRET.toCharArray());
        }
    }

    private static String url(String host, String mode, String trusted) throws Exception {
        int port = server().port();
        return Product.UNDER_TEST == Product.MARIADB
                ? "jdbc:mariadb://" + host + ':' + port + "/names?sslMode=" + mode + "&trustStore="
                        + folder.resolve(trusted) + "&trustStorePassword=" + SECRET
                : "jdbc:mysql://" + host + ':' + port + "/names?sslMode="
                        + mode.replace("full", "identity").replace('-', '_') + "&trustCertificateKeyStoreUrl="
                        + folder.resolve(trusted).toUri() + "&trustCertificateKeyStorePassword=" + SECRET;
    }

    private static TestFeed feed(MySqlFeedBuilder settings) {
        return TestFeed.connected(
                settings, Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
    }

    private static void insert(String username) throws SQLException {
        TestServer.sql(server, "insert into account (username) values ('" + username + "')");
    }

    /** The server lets this user in over no other. */
    @ParameterizedTest
    @ValueSource(strings = {"verify-ca", "verify-full"})
    void eachConnectionOfANodeIsEncryptedAndVerified(String mode) throws Exception {
        try (TestFeed feed = feed(MySqlFeed.of(url("localhost", mode, "server.p12"))
                .user("sealed")
                .password("one"))) {
            feed.sink().awaitFollowing();
            insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().knows("alice")).isTrue();
        }
    }

    /** The driver is asked first, so what it says would hide what the other says: that one is asked alone. */
    @Test
    void aServerThatAnotherAuthorityVouchesForOrOfAnotherNameIsNotRead() throws Exception {
        for (String url :
                List.of(url("localhost", "verify-full", "other.p12"), url("127.0.0.1", "verify-full", "server.p12"))) {
            Properties login = new Properties();
            login.setProperty("user", "sealed");
            login.setProperty("password", "one");
            LogConnection log = new LogConnection(
                    new io.github.untaken.cluster.mysql.Server(
                            new FeedSettings(Address.of(url), () -> login, Set.of())),
                    new LogPlace("log.000001", 4),
                    1L << 31);
            assertThatThrownBy(() -> log.read(new LogEvents(new RowEvents(List.of(), false), new IgnoringListener())))
                    .as(url)
                    .isInstanceOf(LogConnection.LostException.class)
                    .hasMessageContaining("SSLHandshakeException");
        }
    }

    /** Connections that stand are not ended by it; the next ones need the new one. */
    @Test
    void anotherPasswordEndsTheNewsUntilItIsGivenAndIsNoGap() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("one");
        try (TestFeed feed = feed(MySqlFeed.of(url("localhost", "verify-full", "server.p12"))
                .user(() -> "sealed")
                .password(password::get))) {
            feed.sink().awaitFollowing();
            feed.awaitMark();
            try (Connection console = TestServer.console(server)) {
                Console.sql(console, "alter user sealed@localhost identified by 'two'");
                for (long id : ids(console)) {
                    TestServer.kill(server, id);
                }
            }
            insert("bob");
            assertThatThrownBy(() -> feed.feed().awaitMark(Duration.ofSeconds(2)))
                    .isInstanceOf(StoreException.class);
            password.set("two");
            feed.sink().await("news", () -> isAnswered(feed));
            assertThat(feed.sink().knows("bob")).isTrue();
            assertThat(feed.sink().gaps()).isEmpty();
            TestServer.sql(server, "alter user sealed@localhost identified by 'one'");
        }
    }

    private static boolean isAnswered(TestFeed feed) {
        try {
            feed.feed().awaitMark(Duration.ofSeconds(1));
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private static List<Long> ids(Connection console) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = console.createStatement();
                ResultSet rows =
                        statement.executeQuery("select id from information_schema.processlist where user = 'sealed'")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mariadb://h/d, DISABLED",
        "jdbc:mariadb://h/d?sslMode=trust, REQUIRED",
        "jdbc:mariadb://h/d?sslMode=VERIFY_CA, VERIFY_CA",
        "jdbc:mariadb://h/d?sslMode=verify-full, VERIFY_IDENTITY",
        "jdbc:mariadb://h/d?useSSL=true, VERIFY_IDENTITY",
        "jdbc:mariadb://h/d?useSsl=true&trustServerCertificate=true, REQUIRED",
        "jdbc:mariadb://h/d?useSsl=true&disableSslHostnameVerification=true, VERIFY_CA",
        "jdbc:mysql://h/d, PREFERRED",
        "jdbc:mysql://h/d?useSSL=false, DISABLED",
        "jdbc:mysql://h/d?useSSL=true&requireSSL=true, REQUIRED",
        "jdbc:mysql://h/d?verifyServerCertificate=true, VERIFY_CA",
        "jdbc:mysql://h/d?sslmode=verify_identity, VERIFY_IDENTITY"
    })
    void theAddressMeansWhatItMeansToItsDriver(String url, String mode) {
        assertThat(Tls.of(Address.of(url), new Properties()).mode()).hasToString(mode);
    }

    @Test
    void aPlaceOnTheClassPathIsRefusedByName() {
        assertThatThrownBy(() -> MySqlFeed.of("jdbc:mariadb://h/d?serverSslCert=classpath:db.crt"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("serverSslCert with a place that begins with classpath:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enabledSslCipherSuites",
                "tlsVersions",
                "trustManagerFactoryProvider",
                "socketFactory",
                "localSocket",
                "credentialType"
            })
    void whatTheConnectionToTheLogCannotDoIsRefusedByName(String name) {
        assertThatThrownBy(() -> MySqlFeed.of("jdbc:mysql://h/d?" + name + "=x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not support the setting " + name);
        assertThatThrownBy(() -> MySqlFeed.of("jdbc:mysql://h/d").property(name, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
