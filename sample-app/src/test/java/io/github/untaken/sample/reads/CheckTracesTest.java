package io.github.untaken.sample.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CheckTracesTest {
    private static final int PAGE = 4096;

    private final CheckTraces traces = new CheckTraces();
    private final IdentifierNormalizer usernames =
            traces.noting(IdentifierKind.USERNAME, UsernameNormalizer.defaults());

    private boolean read(IdentifierKind kind, String key, int pages) {
        return traces.counting(kind, key, () -> {
            for (int i = 0; i < pages; i++) {
                FileReads.counted(PAGE);
            }
            return true;
        });
    }

    private CheckTrace asking(String text) {
        CheckTrace trace = traces.begin();
        usernames.key(text);
        return trace;
    }

    @Test
    void creditsACheckWithTheReadsOfItsKeyAndNoOthers() {
        CheckTrace trace = asking("Alice");
        assertThat(trace.sum()).isEqualTo(new CheckTrace.Sum(0, 0, 0, 0));
        assertThat(read(IdentifierKind.USERNAME, "alice", 2)).isTrue();
        read(IdentifierKind.USERNAME, "bob", 5);
        read(IdentifierKind.PHONE, "alice", 5);
        assertThat(trace.sum()).isEqualTo(new CheckTrace.Sum(1, 0, 2, 2 * PAGE));
        traces.end();
        read(IdentifierKind.USERNAME, "alice", 5);
        assertThat(trace.sum()).isEqualTo(new CheckTrace.Sum(1, 0, 2, 2 * PAGE));
    }

    @Test
    void creditsAReadToEachCheckThatWaitsForIt() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            CheckTrace first = asking("alice");
            CheckTrace second = other.submit(() -> asking("ALICE")).get(20, TimeUnit.SECONDS);
            read(IdentifierKind.USERNAME, "alice", 3);
            assertThat(first.sum()).isEqualTo(new CheckTrace.Sum(1, 0, 3, 3 * PAGE));
            assertThat(second.sum()).isEqualTo(first.sum());
            traces.end();
            read(IdentifierKind.USERNAME, "alice", 1);
            assertThat(first.sum().queries()).isEqualTo(1);
            assertThat(second.sum()).isEqualTo(new CheckTrace.Sum(2, 0, 4, 4 * PAGE));
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void aReadThatRanBeforeTheCheckAskedIsNotItsOwn() {
        CheckTrace[] late = new CheckTrace[1];
        traces.counting(IdentifierKind.USERNAME, "alice", () -> {
            late[0] = asking("alice");
            FileReads.counted(PAGE);
            return false;
        });
        assertThat(late[0].sum()).isEqualTo(new CheckTrace.Sum(0, 0, 0, 0));
    }

    @Test
    void tellsThatAReadHasNotEnded() {
        CheckTrace trace = asking("alice");
        traces.counting(IdentifierKind.USERNAME, "alice", () -> {
            FileReads.counted(PAGE);
            assertThat(trace.sum()).isEqualTo(new CheckTrace.Sum(1, 1, 0, 0));
            return false;
        });
        assertThat(trace.sum()).isEqualTo(new CheckTrace.Sum(1, 0, 1, PAGE));
    }

    @Test
    void namesThatAreOnlySuggestedAreNotWhatTheCheckIsAbout() {
        CheckTrace trace = asking("alice");
        usernames.key("alice2026");
        read(IdentifierKind.USERNAME, "alice2026", 1);
        assertThat(trace.sum().queries()).isZero();
    }

    @Test
    void aNormalizerThatIsWatchedAnswersAsBefore() {
        assertThat(usernames.key("\uff21lice")).isEqualTo("alice");
        assertThat(usernames.rejection("a b", "a b")).contains("illegal_character");
    }
}
