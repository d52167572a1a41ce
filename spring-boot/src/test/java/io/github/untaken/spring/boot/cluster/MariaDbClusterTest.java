package io.github.untaken.spring.boot.cluster;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.innodb.Server;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.source.ImportTables;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** Two applications without JPA on one MariaDB: two properties make each hear what the other, or anybody, commits. */
@Tag("ci")
class MariaDbClusterTest {
    private static final int NAMES = 30;

    interface Accounts {
        @Insert("insert into account (username) values (#{name})")
        void insert(String name);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        UntakenAutoConfiguration.class,
        UntakenConnectionDetailsAutoConfiguration.class,
        UntakenClusterAutoConfiguration.class
    })
    @ImportTables
    static class Application {
        @Bean
        SqlSessionFactory sessions(DataSource dataSource) {
            Configuration configuration =
                    new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
            configuration.addMapper(Accounts.class);
            return new SqlSessionFactoryBuilder().build(configuration);
        }
    }

    private static String url(Server server) {
        return "jdbc:mariadb://127.0.0.1:" + server.port() + "/names";
    }

    private static ConfigurableApplicationContext start(Server server) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=" + url(server),
                        "--spring.datasource.username=untaken",
                        "--untaken.tables.username=account.username",
                        "--untaken.recheck-timeout=20s", // a machine that is busy with other tests
                        "--untaken.cluster.enabled=true");
    }

    private static AvailabilityChecker checker(ConfigurableApplicationContext node) {
        AvailabilityChecker checker = node.getBean(AvailabilityChecker.class);
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    /** Once the latest is known, the bounded answer has it, too. */
    private static void assertTaken(AvailabilityChecker checker, String name) {
        assertThat(checker.latest(USERNAME, name).status()).as(name).isEqualTo(Status.TAKEN);
        assertThat(checker.check(USERNAME, name).status()).as(name).isEqualTo(Status.TAKEN);
    }

    @Test
    void whatOneCommitsOrSomebodyAtAConsoleTheOtherCallsTaken() throws Exception {
        try (Server server = new Server("--log-bin=log", "--server-id=1", "--binlog-format=ROW");
                Connection console = DriverManager.getConnection(url(server), "untaken", "");
                Statement statement = console.createStatement()) {
            statement.execute("create table account (id int auto_increment primary key, username varchar(100) unique)");
            try (ConfigurableApplicationContext one = start(server);
                    ConfigurableApplicationContext other = start(server)) {
                AvailabilityChecker here = checker(one);
                AvailabilityChecker there = checker(other);
                for (int i = 0; i < NAMES; i++) {
                    assertThat(there.latest(USERNAME, "alice" + i).available()).isTrue();
                    assertThat(there.check(USERNAME, "carol" + i).available()).isTrue();
                    try (SqlSession session =
                            one.getBean(SqlSessionFactory.class).openSession(true)) {
                        session.getMapper(Accounts.class).insert("alice" + i);
                    }
                    assertTaken(there, "alice" + i);
                    one.getBean(JdbcTemplate.class).update("insert into account (username) values (?)", "bob" + i);
                    assertTaken(there, "bob" + i);
                    statement.executeUpdate("insert into account (username) values ('dave" + i + "')");
                    assertTaken(here, "dave" + i);
                    assertTaken(there, "dave" + i);
                }
                assertThat(there.stats(USERNAME).missesProved()).isZero();
                assertThat(there.stats(USERNAME)
                                .following()
                                .orElseThrow()
                                .gaps()
                                .byReason())
                        .allSatisfy((reason, gaps) -> assertThat(gaps).isZero());
            }
        }
    }
}
