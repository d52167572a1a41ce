package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuestionTest {

    /** As while it starts. */
    @Test
    void aServerThatGivesNoConnectionIsNotAskedForOneEachTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread refusing = new Thread(() -> refuse(server, asked));
            refusing.start();
            Question question = new Question(
                    new Server("jdbc:postgresql://localhost:" + server.getLocalPort() + "/postgres", Properties::new),
                    "untaken test",
                    "untaken",
                    List.of());
            for (int i = 0; i < 1_000; i++) {
                assertThatThrownBy(() -> question.ask("mark", Duration.ofSeconds(1)))
                        .isInstanceOf(StoreException.class);
            }
        }
        assertThat(asked.get()).isPositive().isLessThan(100);
    }

    /** Also between two attempts: whoever looks sees the last answer, and most look between two. */
    @Test
    void whyTheServerGivesNoConnectionIsSaidEachTime() {
        String role = "barred" + TestServer.number();
        TestServer.sql("create role " + role + " nologin");
        Properties user = new Properties();
        user.setProperty("user", role);
        Question question =
                new Question(new Server(TestServer.url(), () -> user), "untaken barred", "untaken", List.of());
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> question.ask("mark", Duration.ofSeconds(20)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("SQLSTATE 28000");
        }
        TestServer.sql("drop role " + role);
    }

    /** Only those which it has opened and given up. */
    @Test
    void aSessionOfItsNameIsNotEnded() throws Exception {
        Properties user = new Properties();
        user.setProperty("user", TestServer.USER);
        try (Connection application =
                DriverManager.getConnection(TestServer.url() + "?ApplicationName=shop", TestServer.USER, "")) {
            Question question = new Question(new Server(TestServer.url(), () -> user), "shop", "untaken", List.of());
            assertThat(question.ask("mark", Duration.ofSeconds(20)).standby()).isFalse();
            question.close();
            assertThat(application.isValid(10)).isTrue();
        }
    }

    /** After a failover the address leads to another server, while the old one goes on answering. */
    @Test
    void aConnectionIsNotAskedForEver() throws Exception {
        Properties user = new Properties();
        user.setProperty("user", TestServer.USER);
        Question question = new Question(
                new Server(TestServer.url(), () -> user), "untaken aged", "untaken", List.of(), Duration.ZERO);
        String pid = "select max(pid) from pg_stat_activity where application_name = 'untaken aged'";
        question.ask("mark", Duration.ofSeconds(20));
        String first = TestServer.query(pid);
        question.ask("mark", Duration.ofSeconds(20));
        assertThat(TestServer.query(pid)).isNotEqualTo(first);
        question.close();
    }

    private static void refuse(ServerSocket server, AtomicInteger asked) {
        try {
            while (true) {
                server.accept().close();
                asked.incrementAndGet();
            }
        } catch (IOException e) {
            // it was closed
        }
    }
}
