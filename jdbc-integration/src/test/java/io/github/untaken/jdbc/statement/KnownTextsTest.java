package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KnownTextsTest {
    private final KnownTexts<Integer> known = new KnownTexts<>();
    private final AtomicInteger read = new AtomicInteger();

    private int length(String sql) {
        return known.of(sql, text -> {
            read.incrementAndGet();
            return text.length();
        });
    }

    private static String text(int number, int length) {
        String start = "select " + number + ' ';
        return start + "x".repeat(length - start.length());
    }

    @Test
    void aTextIsReadOnce() {
        assertThat(length("select 1")).isEqualTo(8);
        assertThat(length("select 1")).isEqualTo(8);
        assertThat(read).hasValue(1);
    }

    @Test
    void ofShortTextsOnlySoManyAreKept() {
        for (int i = 0; i < 3 * KnownTexts.MOST_TEXTS + 1; i++) {
            assertThat(length(text(i, 20))).isEqualTo(20);
            assertThat(known.size()).isBetween(1, KnownTexts.MOST_TEXTS);
        }
        assertThat(known.size()).isEqualTo(1);
    }

    @Test
    void ofLongTextsOnlySoManyCharactersAreKept() {
        int fit = KnownTexts.MOST_CHARACTERS / KnownTexts.LONGEST_KEPT;
        for (int i = 0; i < 3 * fit + 1; i++) {
            assertThat(length(text(i, KnownTexts.LONGEST_KEPT))).isEqualTo(KnownTexts.LONGEST_KEPT);
            assertThat(known.size()).isBetween(1, fit);
        }
        assertThat(known.size()).isEqualTo(1);
    }

    @Test
    void aTextThatIsTooLongIsReadEachTime() {
        String sql = text(1, KnownTexts.LONGEST_KEPT + 1);
        length(sql);
        length(sql);
        assertThat(read).hasValue(2);
        assertThat(known.size()).isZero();
    }

    /** As when two threads come with one text: the second arrives while the first reads it, and here for certain. */
    @Test
    void whatSeveralReadAtOnceCountsOnce() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < KnownTexts.MOST_CHARACTERS / 10_000; i++) {
            texts.add(text(i, 10_000)); // they just fit
        }
        for (String sql : texts) {
            known.of(sql, text -> length(sql));
        }
        assertThat(known.size()).isEqualTo(texts.size());
    }

    @Test
    void aTextThatIsKnownAlreadyDrivesOutNoOther() {
        for (int i = 0; i < KnownTexts.MOST_TEXTS; i++) {
            String sql = text(i, 20);
            known.of(sql, text -> length(sql));
        }
        assertThat(known.size()).isEqualTo(KnownTexts.MOST_TEXTS);
    }
}
