package io.github.untaken.sample.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.StoreRead;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckTracesTest {
    private static final int PAGE = 4096;

    private final CheckReads all = new CheckReads();
    private final CheckTraces traces = new CheckTraces(all);
    private final ExecutorService reader = Executors.newSingleThreadExecutor();
    private final long begun = System.nanoTime();

    /** On another thread than the check, as the registry does. */
    private void read(int pages, Object... askers) throws Exception {
        reader.submit(() -> {
                    for (int i = 0; i < pages; i++) {
                        FileReads.counted(PAGE);
                    }
                    traces.read(new StoreRead(List.of(askers), 1, 1_000, true));
                })
                .get(20, TimeUnit.SECONDS);
    }

    private static CheckTrace.Sum sum(int queries, int unfinished, int pages) {
        return new CheckTrace.Sum(queries, unfinished, pages, (long) pages * PAGE);
    }

    @Test
    void creditsACheckWithItsOwnReadsAndNoOthers() throws Exception {
        Object asked = traces.asked();
        read(5);
        read(2, asked);
        assertThat(traces.take(begun)).isEqualTo(sum(1, 0, 2));
        read(5, asked);
        assertThat(traces.take(begun)).isEqualTo(CheckTrace.Sum.NONE);
        assertThat(all.sum()).isEqualTo(new CheckReads.Sum(3, 12, 12 * PAGE, 0));
    }

    @Test
    void creditsAReadToEachCheckThatWaitsForItAndCountsItOnce() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Object first = traces.asked();
            Object second = other.submit(traces::asked).get(20, TimeUnit.SECONDS);
            read(3, first, second);
            read(1, second);
            assertThat(traces.take(begun)).isEqualTo(sum(1, 0, 3));
            assertThat(other.submit(() -> traces.take(begun)).get(20, TimeUnit.SECONDS))
                    .isEqualTo(sum(2, 0, 4));
            assertThat(all.sum()).isEqualTo(new CheckReads.Sum(2, 4, 4 * PAGE, 0));
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void tellsThatAReadHasNotEnded() throws Exception {
        read(1, traces.asked());
        traces.asked();
        assertThat(traces.take(begun)).isEqualTo(sum(1, 1, 1));
    }

    @Test
    void whatAnEarlierRequestLeftIsNotThisOnes() throws Exception {
        read(1, traces.asked());
        assertThat(traces.take(System.nanoTime())).isEqualTo(CheckTrace.Sum.NONE);
    }

    @Test
    void aThreadThatNobodyAsksAboutKeepsFewTraces() {
        for (int i = 0; i < 1_000; i++) {
            traces.asked();
        }
        assertThat(traces.take(begun).unfinished()).isEqualTo(16);
    }

    @AfterEach
    void end() {
        reader.shutdownNow();
    }
}
