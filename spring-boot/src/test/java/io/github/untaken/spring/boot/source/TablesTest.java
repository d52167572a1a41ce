package io.github.untaken.spring.boot.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.spring.boot.FormerNames;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.testkit.Eventually;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Applications without JPA: one property, and what they write is known at once. */
class TablesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    UntakenTablesAutoConfiguration.class,
                    UntakenAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:tables" + NUMBER.incrementAndGet(),
                    "spring.sql.init.schema-locations=classpath:tables.sql",
                    "untaken.tables.username=users.username",
                    "untaken.recheck-timeout=30s");

    static class SignUp {
        private final JdbcTemplate template;

        SignUp(JdbcTemplate template) {
            this.template = template;
        }

        @Transactional
        public void register(String name, SignUp audit, boolean givesUp) {
            template.update("insert into users (username) values (?)", name);
            audit.apart(name + "-audit");
            if (givesUp) {
                throw new IllegalStateException("given up");
            }
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void apart(String name) {
            template.update("insert into users (username) values (?)", name);
        }
    }

    static class TemplateApplication {
        @Bean
        SignUp signUp(JdbcTemplate template) {
            return new SignUp(template);
        }
    }

    interface Users {
        @Insert("insert into users (username) values (#{name})")
        void insert(String name);
    }

    static class MyBatisApplication {
        @Bean
        SqlSessionFactory sessions(DataSource dataSource) {
            Configuration configuration =
                    new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
            configuration.addMapper(Users.class);
            return new SqlSessionFactoryBuilder().build(configuration);
        }
    }

    private static AvailabilityChecker ready(ApplicationContext context) {
        AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
        return checker;
    }

    private static void assertKnown(AvailabilityChecker checker, String name, Status status) {
        assertThat(checker.check(USERNAME, name).status()).as(name).isEqualTo(status);
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
    }

    @Test
    void whatATemplateWritesIsKnownAtOnce() {
        application.withUserConfiguration(TemplateApplication.class).run(context -> {
            AvailabilityChecker checker = ready(context);
            SignUp signUp = context.getBean(SignUp.class);
            assertThat(checker.check(USERNAME, "carol").decidedBy()).isEqualTo(DecidedBy.FILTER);
            assertKnown(checker, "scripted", Status.TAKEN);
            signUp.register("alice", signUp, false);
            assertKnown(checker, "alice", Status.TAKEN);
            assertThatThrownBy(() -> signUp.register("bob", signUp, true)).hasMessage("given up");
            assertKnown(checker, "bob", Status.AVAILABLE);
            assertKnown(checker, "bob-audit", Status.TAKEN);
        });
    }

    @Test
    void whatAMapperOfMyBatisWritesIsKnownAtOnce() {
        application.withUserConfiguration(MyBatisApplication.class).run(context -> {
            AvailabilityChecker checker = ready(context);
            assertKnown(checker, "alice", Status.AVAILABLE);
            try (SqlSession session = context.getBean(SqlSessionFactory.class).openSession()) {
                session.getMapper(Users.class).insert("alice");
                assertThat(checker.check(USERNAME, "alice").decidedBy()).isEqualTo(DecidedBy.STORE);
                session.commit();
            }
            assertKnown(checker, "alice", Status.TAKEN);
        });
    }

    @Test
    void whatAJdbcClientWritesIsKnownAtOnce() {
        application.run(context -> {
            AvailabilityChecker checker = ready(context);
            assertKnown(checker, "alice", Status.AVAILABLE);
            context.getBean(JdbcClient.class)
                    .sql("insert into users (username) values (:name)")
                    .param("name", "alice")
                    .update();
            assertKnown(checker, "alice", Status.TAKEN);
        });
    }

    @Test
    void aSourceOfTheApplicationIsAddedToTheTables() {
        application.withBean(FormerNames.class).run(context -> {
            JdbcClient client = context.getBean(JdbcClient.class);
            AvailabilityChecker checker = ready(context);
            assertKnown(checker, "alice", Status.AVAILABLE);
            client.sql("insert into users (username) values ('alice')").update();
            assertKnown(checker, "alice", Status.TAKEN);
            assertKnown(checker, "former", Status.TAKEN);
        });
    }

    @Test
    void thePoolIsWatchedAndStillFoundBehindTheWatch() {
        application.run(context -> {
            DataSource dataSource = context.getBean(DataSource.class);
            assertThat(dataSource).isInstanceOf(WatchedDataSource.class);
            assertThat(dataSource.unwrap(HikariDataSource.class).isClosed()).isFalse();
        });
    }

    @Test
    void withoutThePropertyNothingIsWatched() {
        application
                .withPropertyValues("untaken.tables.username=")
                .run(context -> assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class));
    }

    @Test
    void aTableThatIsNotThereIsRefused() {
        application
                .withPropertyValues("untaken.tables.username=people.username")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("people.username")
                        .hasMessageContaining("there is no such table"));
        application
                .withPropertyValues("untaken.tables.username=username")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("names no table and column"));
    }

    @Test
    void rowsOfWhichTheConditionDoesNotHoldDoNotCount() {
        application
                .withPropertyValues("untaken.tables.email[0]=member.address  WHERE state in (1, 2)")
                .run(context -> {
                    AvailabilityChecker checker = ready(context);
                    IdentifierKind email = IdentifierKind.EMAIL;
                    assertThat(checker.check(email, "gone@example.org").status())
                            .isEqualTo(Status.AVAILABLE);
                    assertThat(checker.check(email, "here@example.org").status())
                            .isEqualTo(Status.TAKEN);
                    context.getBean(JdbcClient.class)
                            .sql("update member set state = 5 - state")
                            .update();
                    assertThat(checker.check(email, "gone@example.org").status())
                            .isEqualTo(Status.TAKEN);
                    assertThat(checker.check(email, "here@example.org").status())
                            .isEqualTo(Status.AVAILABLE);
                });
        application
                .withPropertyValues("untaken.tables.username=users.username where username = 'x' or (1 = 1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("\"username = 'x' or (1 = 1\", that the database rejects")
                        .hasMessageContaining("untaken.tables"));
        application
                .withPropertyValues("untaken.tables.username=users.username where")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("condition"));
        application
                .withPropertyValues("untaken.tables.username=users.username where id in (1, 2)")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("names no table and column"));
    }

    static class TwoPools {
        @Bean
        DataSource one() {
            return pool();
        }

        @Bean
        DataSource other() {
            return pool();
        }

        private static HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:");
            return pool;
        }
    }

    @Test
    void ofSeveralPoolsOneMustBePrimary() {
        application
                .withUserConfiguration(TwoPools.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("no single or primary data source"));
    }
}
