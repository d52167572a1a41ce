package io.github.untaken.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Told;
import org.junit.jupiter.api.Test;

class GuardedListenerTest {
    private static final IdentifierKind KIND = IdentifierKind.of("name");

    /** What it threw first does not hide what it throws later. */
    @Test
    void eachWayInWhichAListenerFailsIsToldOnce() {
        CheckListener broken = new CheckListener() {
            @Override
            public void missProved(IdentifierKind kind) {
                throw new IllegalStateException("of alice");
            }

            @Override
            public void rebuilt(IdentifierKind kind, long rows, long nanos) {
                throw new UnsupportedOperationException("of alice");
            }
        };
        GuardedListener listener = new GuardedListener(broken, Runnable::run);
        try (Told told = new Told()) {
            for (int i = 0; i < 10; i++) {
                listener.missProved(KIND);
                listener.rebuilt(KIND, 1, 1);
            }
            assertThat(told.lines())
                    .filteredOn(line -> line.contains(
                            "The check listener " + broken.getClass().getName()))
                    .satisfiesExactly(
                            line -> assertThat(line).contains(broken.getClass().getName(), "IllegalStateException"),
                            line -> assertThat(line).contains("UnsupportedOperationException"))
                    .noneMatch(line -> line.contains("alice"));
        }
    }
}
