package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WrittenWordsTest {
    private final WatchedTables tables =
            new WatchedTables(Map.of(IdentifierKind.USERNAME, Set.of(new IdentifierColumn("users", "username"))));
    private final CatalogFacts facts = new CatalogFacts();
    private final WrittenWords written = facts.written();
    private final StatementJudge judge = new StatementJudge(tables, facts);

    @BeforeEach
    void look() {
        facts.learn(new KnownFacts());
    }

    @Test
    void aTableThatNobodyKnewForAPartIsRememberedWhenItIsWritten() {
        assertThat(judge.judge("insert into Users_2026 (username) values (?)").isNothing())
                .isTrue();
        assertThat(written.mayHave("users_2026")).isTrue();
        assertThat(written.mayHave("users_2027")).isFalse();
    }

    @Test
    void inQuotesInAFunctionsTextAndWhereDatabasesDifferItIsRememberedToo() {
        judge.judge("update \"my part\" set username = ?");
        judge.judge("select dblink_exec('insert into far values (1)')");
        judge.judge("insert into near values ('it\\'s')");
        assertThat(written.mayHave("my part")).isTrue();
        assertThat(written.mayHave("far")).isTrue();
        assertThat(written.mayHave("near")).isTrue();
    }

    @Test
    void whatIsReadAndWhatIsAValueIsNoWrittenName() {
        judge.judge("select * from archive where username = ?");
        judge.judge("insert into log values ('somebody', 12345)");
        assertThat(written.mayHave("archive")).isFalse();
        assertThat(written.mayHave("somebody")).isFalse();
        assertThat(written.mayHave("12345")).isFalse();
        assertThat(written.mayHave("log")).isTrue();
    }

    @Test
    void whoMakesUpNamesAsItGoesMayHaveWrittenAny() {
        for (int i = 0; i <= 10_000; i++) {
            judge.judge("insert into t" + i + " values (1)");
        }
        assertThat(written.mayHave("never_heard_of")).isTrue();
    }

    @Test
    void aNameWithoutAnyWordMayHaveBeenWritten() {
        assertThat(written.mayHave("-")).isTrue();
    }
}
