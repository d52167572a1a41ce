package io.github.untaken.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContinuityTest {
    private static final String CATALOG = "one";

    private final List<String> heard = new ArrayList<>();
    private int failures;
    private final Continuity<String> continuity = new Continuity<>(
            new ChangeSink() {
                @Override
                public void registered(IdentifierKind kind, String value) {
                    throw new AssertionError();
                }

                @Override
                public void gap(GapReason reason, String detail) {
                    if (failures-- > 0) {
                        throw new OutOfMemoryError("made up");
                    }
                    heard.add("gap");
                }

                @Override
                public void resumed() {
                    throw new AssertionError("nothing was left");
                }

                @Override
                public void following() {
                    heard.add("following");
                }
            },
            () -> {});

    @Test
    void saysTheSameOnce() {
        continuity.end(gap("no server"));
        continuity.end(gap("no server"));
        continuity.end(gap("no publication"));
        continuity.begin(CATALOG);
        continuity.end(gap("no publication"));
        assertThat(heard).containsExactly("gap", "gap", "following", "gap");
    }

    /** A gap that nobody has heard of would be forgotten by what follows. */
    @Test
    void aGapThatCouldNotBeToldIsToldBeforeTheNextStretch() {
        continuity.begin(CATALOG);
        failures = 1;
        assertThatThrownBy(() -> continuity.end(gap("lost"))).isInstanceOf(OutOfMemoryError.class);
        assertThat(continuity.current()).isEmpty();
        continuity.begin(CATALOG);
        assertThat(heard).containsExactly("following", "gap", "following");
    }

    @Test
    void noStretchBeginsWhileAnotherIsFollowed() {
        continuity.begin(CATALOG);
        continuity.begin(CATALOG);
        assertThat(heard).containsExactly("following", "gap", "following");
    }

    @Test
    void whoFindsAGapInAnOldStretchEndsNothing() {
        continuity.begin(CATALOG);
        Continuity.Followed<String> old = continuity.current().orElseThrow();
        continuity.end(gap("lost"));
        continuity.begin(CATALOG);
        continuity.end(old, gap("altered"));
        assertThat(heard).containsExactly("following", "gap", "following");
        assertThat(continuity.isCurrent(old)).isFalse();
    }

    private static Gap gap(String why) {
        return new Gap(GapReason.OTHER, why);
    }
}
