package io.github.untaken.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeenFactsTest {
    private static final IdentifierColumn USERNAME = new IdentifierColumn("Account", "username");
    private static final IdentifierColumn PHONE = new IdentifierColumn("account", "PHONE");

    @Test
    void ofATableThatIsNotThereEverythingMayBeTrue() {
        SeenFacts seen = facts(SeenTable.NONE);
        assertThat(seen.fills(USERNAME)).isTrue();
        assertThat(seen.computes(USERNAME)).isTrue();
    }

    @Test
    void ofATableThatIsThereTheCatalogSaysIt() {
        SeenFacts seen = facts(new SeenTable(
                Map.of("1", Part.of("1", "account", "")),
                "",
                Map.of(),
                Set.of(),
                Map.of("phone", Set.of("none")),
                Set.of()));
        assertThat(seen.fills(USERNAME)).isFalse();
        assertThat(seen.computes(USERNAME)).isFalse();
        assertThat(seen.fills(PHONE)).isTrue();
        assertThat(seen.defaultsOf(PHONE)).containsExactly("none");
    }

    private static SeenFacts facts(SeenTable table) {
        return SeenFacts.of(new Fingerprint(new SeenServer("server", "start", 0), Map.of("account", table)), Set.of());
    }
}
