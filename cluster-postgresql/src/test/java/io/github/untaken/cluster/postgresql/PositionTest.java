package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class PositionTest {
    private static final String LOW = "untaken_shop 0/A here marks";

    @Test
    void whatTheLowestFileCoversAllCover() {
        assertThat(Position.lowest(Set.of("untaken_shop 1/0 here marks", LOW, "untaken_shop 0/B here marks")))
                .hasValueSatisfying(lowest -> assertThat(lowest.text()).isEqualTo(LOW));
    }

    /** What one slot has passed by, another may still have to tell, and the other way round. */
    @Test
    void filesOfTwoSlotsAreNotGoneOnWith() {
        assertThat(Position.lowest(Set.of(LOW, "untaken_other 0/B here marks"))).isEmpty();
        assertThat(Position.lowest(Set.of(LOW, "untaken_shop 0/B elsewhere marks")))
                .isEmpty();
        assertThat(Position.lowest(Set.of(LOW, "untaken_shop 0/B here others"))).isEmpty();
    }

    @Test
    void aFileWithoutAPositionIsNotGoneOnWith() {
        assertThat(Position.lowest(Set.of())).isEmpty();
        assertThat(Position.lowest(Set.of(LOW, "nothing"))).isEmpty();
    }
}
