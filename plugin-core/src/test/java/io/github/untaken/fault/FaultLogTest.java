package io.github.untaken.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Told;
import io.github.untaken.spi.StoreException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    private static final String LOGGER = "io.github.untaken.told";

    private final FaultLog faults = new FaultLog(LOGGER);

    private static void fail(RuntimeException e) {
        throw e;
    }

    @Test
    void oneFactIsSaidOnceAndAgainOnlyWhenItChanges() {
        try (Told told = new Told(LOGGER)) {
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

    /** Who can provoke two faults in turn fills no log either. */
    @Test
    void twoFactsThatTakeTurnsAreTwoLines() {
        try (Told told = new Told(LOGGER)) {
            for (int i = 0; i < 1_000; i++) {
                faults.failed("The answer", new IllegalStateException());
                faults.failed("The answer", new IllegalArgumentException());
            }
            assertThat(told.lines()).hasSize(2);
            assertThat(faults.count()).isEqualTo(2_000);
            faults.ended("The answer");
            assertThat(told.lines()).hasSize(3);
            faults.failed("The answer", new IllegalArgumentException());
            assertThat(told.lines()).hasSize(4);
        }
    }

    @Test
    void ofMoreFactsThanItKeepsOneLineSaysThatThereAreOthers() {
        try (Told told = new Told(LOGGER)) {
            for (int i = 0; i < 1_000; i++) {
                faults.failed("Task " + i, new StoreException("away"));
            }
            assertThat(told.lines()).hasSize(FaultLog.MOST_FACTS + 1);
            assertThat(told.lines().get(FaultLog.MOST_FACTS)).contains("no more kinds of faults");
            assertThat(faults.count()).isEqualTo(1_000);
            faults.ended("Task 1");
            faults.failed("Task 999", new StoreException("away"));
            faults.failed("Task 1", new StoreException("away"));
            assertThat(told.lines()
                            .subList(FaultLog.MOST_FACTS + 1, told.lines().size()))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("Task 1 works again"),
                            line -> assertThat(line)
                                    .contains("Task 999 failed")
                                    .doesNotContain("no more kinds of faults"),
                            line -> assertThat(line).contains("Task 1 failed").contains("no more kinds of faults"));
        }
    }

    @Test
    void whatOneTaskFailsWithHidesNothingOfAnother() {
        try (Told told = new Told(LOGGER)) {
            faults.survive("One", () -> fail(new StoreException("away")));
            faults.survive("Another", () -> fail(new StoreException("away")));
            assertThat(told.lines()).hasSize(2);
        }
    }

    /** A server that is stopped for a while is one fact. */
    @Test
    void aStoreThatFailsIsOneLineAndItsCauseIsNotQuoted() {
        try (Told told = new Told(LOGGER)) {
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
        try (Told told = new Told(LOGGER)) {
            Exception cause = new IllegalArgumentException("duplicate key (alice)");
            faults.survive("The look", () -> fail(new IllegalStateException("duplicate key (alice)", cause)));
            assertThat(told.lines())
                    .singleElement()
                    .asString()
                    .contains(
                            "IllegalStateException at ",
                            "FaultLogTest",
                            "because of java.lang.IllegalArgumentException")
                    .doesNotContain("alice");
        }
    }

    @Test
    void anErrorIsSurvivedTooAndWhatItSaysIsNotRepeatedEither() {
        try (Told told = new Told(LOGGER)) {
            faults.survive("The look", () -> {
                throw new AssertionError("two rows for alice");
            });
            assertThat(told.lines())
                    .singleElement()
                    .asString()
                    .contains("AssertionError at ")
                    .doesNotContain("alice");
        }
    }

    /** The name of a class that is missing is no identifier, and without it nobody finds the jar. */
    @Test
    void whichClassIsMissingIsSaid() {
        try (Told told = new Told(LOGGER)) {
            faults.failed("The look", new NoClassDefFoundError("org/example/Driver"));
            assertThat(told.lines()).singleElement().asString().contains("(org/example/Driver)");
        }
    }

    @Test
    void aLogThatFailsHarmsNobody() {
        try (Told told = new Told(LOGGER)) {
            told.failing(3);
            faults.survive("The look", () -> fail(new StoreException("away")));
            faults.failed("The look", new IllegalStateException());
            faults.ended("The look");
            assertThat(told.lines()).isEmpty();
            assertThat(told.failuresLeft()).isZero();
        }
    }

    /** Behind a pipe that nobody reads; the exceptions of others may stand still too, or throw. */
    @Test
    void aLogThatStandsStillIsNotWaitedForAndNothingIsPutIntoWordsBeforeItGoesOn() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Thread> worded = new AtomicReference<>();
        try (Told told = new Told(LOGGER)) {
            faults.failed("The first", new IllegalStateException() {
                @Override
                public synchronized Throwable getCause() {
                    begun.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return super.getCause();
                }
            });
            begun.await();
            faults.failed("The second", new IllegalStateException() {
                @Override
                public synchronized Throwable getCause() {
                    worded.set(Thread.currentThread());
                    return super.getCause();
                }
            });
            faults.ended("The second");
            assertThat(worded).hasValue(null);
            released.countDown();
            assertThat(told.lines())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("The first failed"),
                            line -> assertThat(line).contains("The second failed"),
                            line -> assertThat(line).contains("The second works again"));
        } finally {
            released.countDown();
        }
    }
}
