package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatementJudgeTest {
    private final WatchedTables tables =
            new WatchedTables(Map.of(IdentifierKind.USERNAME, Set.of(new IdentifierColumn("users", "username"))));
    private final CatalogFacts facts = new CatalogFacts();
    private final StatementJudge judge = new StatementJudge(tables, facts);

    @Test
    void aTextIsJudgedByTheLatestLookHoweverOftenItWasJudgedBefore() {
        facts.learn(new KnownFacts());
        String insert = "insert into people (login) values (?)";
        assertThat(judge.judge(insert).isNothing()).isTrue();
        assertThat(judge.judge(insert)).isSameAs(judge.judge(insert));
        facts.learn(new KnownFacts().withViews("people"));
        assertThat(judge.judge(insert).unseen()).containsExactly(IdentifierKind.USERNAME);
    }

    @Test
    void whereNothingIsWatchedNothingIsJudged() {
        StatementJudge none = new StatementJudge(new WatchedTables(Map.of()), facts);
        assertThat(none.judge("call anything()").isNothing()).isTrue();
        assertThat(none.anything().kinds()).isEmpty();
    }
}
