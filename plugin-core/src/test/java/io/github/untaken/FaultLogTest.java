package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.StoreException;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    private final FaultLog faults = new FaultLog();

    private static void fail(RuntimeException e) {
        throw e;
    }

    @Test
    void oneFactIsSaidOnceAndAgainOnlyWhenItChanges() {
        try (Told told = new Told()) {
            for (int i = 0; i < 5; i++) {
                faults.survive("The look", () -> fail(new StoreException("away")));
            }
            assertThat(told.lines()).hasSize(1);
            faults.survive("The look", () -> fail(new IllegalStateException("otherwise")));
            assertThat(told.lines()).hasSize(2);
            faults.survive("The look", () -> {});
            faults.survive("The look", () -> {});
            assertThat(told.lines()).hasSize(3).last().asString().contains("The look works again");
            faults.survive("The look", () -> fail(new StoreException("away")));
            assertThat(told.lines()).hasSize(4);
        }
    }

    @Test
    void whatOneTaskFailsWithHidesNothingOfAnother() {
        try (Told told = new Told()) {
            faults.survive("One", () -> fail(new StoreException("away")));
            faults.survive("Another", () -> fail(new StoreException("away")));
            assertThat(told.lines()).hasSize(2);
        }
    }

    /** A server that is stopped for a while is one fact. */
    @Test
    void aStoreThatFailsIsOneLineAndItsCauseIsNotQuoted() {
        try (Told told = new Told()) {
            Exception cause = new IllegalArgumentException("duplicate key (alice)");
            faults.survive("The look", () -> fail(new StoreException("no answer", cause)));
            assertThat(told.lines())
                    .singleElement()
                    .asString()
                    .contains("no answer", "IllegalArgumentException")
                    .doesNotContain("alice")
                    .doesNotContain("\tat ");
        }
    }

    /** A driver quotes values in its messages. */
    @Test
    void whatAForeignExceptionSaysIsNotRepeated() {
        try (Told told = new Told()) {
            faults.survive("The look", () -> fail(new IllegalStateException("duplicate key (alice)")));
            assertThat(told.lines()).hasSize(1).noneMatch(line -> line.contains("alice"));
        }
    }

    @Test
    void anErrorIsSurvivedToo() {
        try (Told told = new Told()) {
            faults.survive("The look", () -> {
                throw new OutOfMemoryError("told to fail");
            });
            assertThat(told.lines()).hasSize(1);
        }
    }

    @Test
    void aLogThatFailsHarmsNobody() {
        try (Told told = new Told()) {
            told.failing(3);
            faults.survive("The look", () -> fail(new StoreException("away")));
            faults.failed("The look", new IllegalStateException());
            faults.ended("The look");
            assertThat(told.failuresLeft()).isZero();
        }
    }
}
