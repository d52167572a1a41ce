package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CheckAllTest {
    private static final long SEED = Seed.of(CheckAllTest.class, 0x5EED_A110L);
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    /** Pieces of names that are free, taken, reserved or refused, as they are or in another spelling. */
    private static final String[] PIECES = {
        "alice",
        "bob",
        "carol",
        "ann",
        "root",
        "adm1n",
        "Admin",
        "support",
        "x",
        "9",
        "2026",
        ".",
        "_",
        "-",
        "ALICE",
        "é",
        "\u0301",
        "ａｌｉｃｅ",
        "ı",
        "İ",
        "ß",
        "\ud800",
        "\udc00",
        "\uD83D\uDE00",
        "张",
        "伟",
        "\u0000",
        " ",
        "а",
        "ς",
        "longer".repeat(6)
    };

    @Test
    void saysOfEachTextWhatACheckOfItSays() {
        SplittableRandom random = new SplittableRandom(SEED);
        int free = 0;
        try (AvailabilityChecker checker = ready("alice", "Bob", "carol.9", "ann2026")) {
            for (int n = 0; n < 2_000; n++) {
                List<String> texts = new ArrayList<>();
                for (int left = random.nextInt(70); left > 0; left--) {
                    texts.add(text(random));
                }
                List<Verdict> verdicts = checker.checkAll(KIND, texts);
                assertThat(verdicts)
                        .as("seed %d, round %d", SEED, n)
                        .isEqualTo(texts.stream()
                                .map(text -> checker.check(KIND, text))
                                .toList());
                free += (int) verdicts.stream().filter(Verdict::available).count();
            }
        }
        assertThat(free).isGreaterThan(10_000);
    }

    private static AvailabilityChecker ready(String... stored) {
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .singleWriter(false)
                .store(KIND, new ScriptedStore(stored))
                .build();
        while (checker.state(KIND) != KindState.READY) {
            Thread.onSpinWait();
        }
        return checker;
    }

    private static String text(SplittableRandom random) {
        int kinds = random.nextInt(1, PIECES.length + 1);
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(5); left > 0; left--) {
            text.append(PIECES[random.nextInt(kinds)]);
        }
        return text.toString();
    }
}
