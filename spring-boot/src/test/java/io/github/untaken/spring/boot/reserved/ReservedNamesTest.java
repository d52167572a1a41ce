package io.github.untaken.spring.boot.reserved;

import static io.github.untaken.IdentifierKind.USERNAME;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.RESERVED;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spring.boot.Refusals;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Reserved names that the application keeps in a file or in a table, and changes while it runs. */
class ReservedNamesTest {
    private static final String QUERY = "untaken.reserved-query.username=select name from reserved_name";

    private final LoggedLines log = new LoggedLines();
    private final JdbcDataSource database = new JdbcDataSource();
    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(UntakenAutoConfiguration.class))
            .withPropertyValues("untaken.recheck-timeout=30s")
            .withBean("usernameStore", RegisteredIdentifierStore.class, InMemoryIdentifierStore::new);
    private final ApplicationContextRunner withDatabase = plain.withBean(DataSource.class, () -> database);

    @BeforeEach
    void aTableOfNames() throws SQLException {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        sql("create table reserved_name (name varchar(64))");
        sql("insert into reserved_name values ('Board'), (null), (' ')");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                var prepared = connection.createStatement()) {
            prepared.execute(statement);
        }
    }

    @AfterEach
    void hearNoMore() {
        log.close();
    }

    private static Verdict.Status status(ApplicationContext context, String name) {
        return context.getBean(AvailabilityChecker.class).check(USERNAME, name).status();
    }

    private static void refresh(ApplicationContext context) {
        context.getBean(ReservedNameLists.class).refresh(context.getBean(AvailabilityChecker.class));
    }

    private static FailureAnalysis refusal(Throwable failure) {
        return Refusals.of(failure);
    }

    @Test
    void namesOfAFileAreReadAgainWithoutARestart(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("names.txt"), "# ours\n\nBoard\n");
        plain.withPropertyValues("untaken.reserved.username=defaults," + file.toUri())
                .run(context -> {
                    assertThat(status(context, "board")).isEqualTo(RESERVED);
                    assertThat(status(context, "admin")).isEqualTo(RESERVED);

                    Files.writeString(file, "Council\n");
                    refresh(context);
                    assertThat(status(context, "council")).isEqualTo(RESERVED);
                    assertThat(status(context, "board")).isEqualTo(AVAILABLE);

                    Files.delete(file);
                    refresh(context);
                    refresh(context);
                    assertThat(status(context, "council")).isEqualTo(RESERVED);
                    assertThat(log.about("until untaken.reserved.username can be read again"))
                            .hasSize(1);
                });
        plain.withPropertyValues("untaken.reserved.username=none")
                .run(context -> assertThat(status(context, "admin")).isEqualTo(AVAILABLE));
        plain.withPropertyValues("untaken.reserved.username=" + file.toUri())
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.reserved.username"));
    }

    @Test
    void namesOfATableComeToTheOthersAndAreReadAgainWithoutARestart() {
        withDatabase.withPropertyValues(QUERY).run(context -> {
            assertThat(status(context, "board")).isEqualTo(RESERVED);
            assertThat(status(context, "admin")).isEqualTo(RESERVED);

            sql("update reserved_name set name = 'Council' where name = 'Board'");
            refresh(context);
            assertThat(status(context, "council")).isEqualTo(RESERVED);
            assertThat(status(context, "board")).isEqualTo(AVAILABLE);
        });
        withDatabase.withPropertyValues(QUERY, "untaken.reserved.username=none").run(context -> {
            assertThat(status(context, "council")).isEqualTo(RESERVED);
            assertThat(status(context, "admin")).isEqualTo(AVAILABLE);
        });
    }

    @Test
    void anAddedNameIsNoticedByItself() {
        withDatabase.withPropertyValues(QUERY, "untaken.reserved-refresh=1s").run(context -> {
            sql("insert into reserved_name values ('council')");
            Eventually.holds("reserved", () -> status(context, "council") == RESERVED);
        });
    }

    @Test
    void aTableThatCannotBeReadLeavesTheNamesAndIsSaidOnce() {
        withDatabase.withPropertyValues(QUERY).run(context -> {
            sql("alter table reserved_name rename to away");
            refresh(context);
            refresh(context);
            assertThat(status(context, "board")).isEqualTo(RESERVED);
            assertThat(log.about("until untaken.reserved-query.username can be read again"))
                    .hasSize(1);

            sql("alter table away rename to reserved_name");
            sql("insert into reserved_name values ('council')");
            refresh(context);
            assertThat(status(context, "council")).isEqualTo(RESERVED);
        });
    }

    @Test
    void aQueryThatIsNoneRefusesTheStartAndNamesItsProperty() {
        withDatabase
                .withPropertyValues("untaken.reserved-query.username=select name from nowhere")
                .run(context -> {
                    FailureAnalysis analysis = refusal(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("untaken.reserved-query.username", "NOWHERE");
                    assertThat(analysis.getAction()).contains("select name from reserved_name");
                });
        plain.withPropertyValues(QUERY)
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.reserved-query.username", "DataSource"));
    }

    /** Its own words would be those of a row. */
    @Test
    void whatADatabaseSaysOfAValueIsNotRepeated() {
        withDatabase
                .withPropertyValues("untaken.reserved-query.username=select cast(name as int) from reserved_name")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .satisfies(analysis -> assertThat(analysis.getDescription())
                                .contains("untaken.reserved-query.username", "22018")
                                .doesNotContain("Board"))
                        .satisfies(analysis -> assertThat(analysis.getCause()).hasNoCause()));
    }

    @Test
    void aKindThatThereIsNotIsRefusedWithItsProperty() {
        for (String kind : List.of("user", "No Kind")) {
            withDatabase
                    .withPropertyValues("untaken.reserved-query[" + kind + "]=select name from reserved_name")
                    .run(context -> assertThat(
                                    refusal(context.getStartupFailure()).getDescription())
                            .contains("untaken.reserved-query." + kind));
        }
        plain.withPropertyValues("untaken.reserved.user=none")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.reserved.user names an unknown kind"));
    }

    @Test
    void namesFromABeanAndFromPropertiesAreRefused() {
        withDatabase
                .withPropertyValues(QUERY)
                .withBean("usernameReservedNames", ReservedNames.class, ReservedNames::none)
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("bean of type ReservedNames"));
    }

    @Test
    void anIntervalUnderASecondIsRefused() {
        withDatabase
                .withPropertyValues(QUERY, "untaken.reserved-refresh=500ms")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.reserved-refresh must be 1s or more, but was 500ms"));
    }
}
