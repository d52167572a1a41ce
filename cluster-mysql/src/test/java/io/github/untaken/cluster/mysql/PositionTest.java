package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class PositionTest {
    private static final String TABLES = "0123456789abcdef".repeat(4);
    private static final String LOW = position("log.000009:500", "here", 7, TABLES);
    private static final String HIGH = position("log.000010:4", "here", 7, TABLES);

    private static String position(String place, String identity, long started, String tables) {
        return place + " 1700000000 " + identity + ' ' + started + ' ' + tables;
    }

    @Test
    void whatTheLowestFileCoversAllCover() {
        String middle = position("log.000009:1000", "here", 7, TABLES);
        assertThat(Position.lowest(Set.of(HIGH, LOW, middle)))
                .hasValueSatisfying(lowest -> assertThat(lowest.text()).isEqualTo(LOW));
    }

    /** What one log has told, another may not have. */
    @Test
    void filesOfTwoLogsAreNotGoneOnWith() {
        assertThat(Position.lowest(Set.of(LOW, position("other.000010:4", "here", 7, TABLES))))
                .isEmpty();
        assertThat(Position.lowest(Set.of(LOW, position("log.000010:4", "elsewhere", 7, TABLES))))
                .isEmpty();
        assertThat(Position.lowest(Set.of(LOW, position("log.000010:4", "here", 9, TABLES))))
                .as("after another start")
                .isEmpty();
        assertThat(Position.lowest(Set.of(LOW, position("log.000010:4", "here", 7, "f".repeat(64)))))
                .as("of other tables")
                .isEmpty();
    }

    @Test
    void aFileWithoutAPositionIsNotGoneOnWith() {
        assertThat(Position.lowest(Set.of())).isEmpty();
        assertThat(Position.lowest(Set.of(LOW, "nothing"))).isEmpty();
    }
}
