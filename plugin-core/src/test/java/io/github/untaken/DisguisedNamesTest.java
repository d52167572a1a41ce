package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.ReservedNames;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that are meant to be taken for others, asked of a checker with its default rules. */
class DisguisedNamesTest {

    /** Registered long ago: some of these no policy would accept today. */
    private final ScriptedStore store =
            new ScriptedStore("alice7", "\u0430lice", "ad.min", "adm1n", "alice\u0661", "\u0430\u043d\u043d\u0430");

    private final AvailabilityChecker checker = AvailabilityChecker.builder()
            .singleWriter(false)
            .store(USERNAME, store)
            .store(EMAIL, new ScriptedStore())
            .normalizer(EMAIL, CheckerFixture.LOWER_CASE)
            .reserved(EMAIL, ReservedNames.of(List.of("Info@example.com")))
            .recheckTimeout(Duration.ofSeconds(20))
            .build();

    DisguisedNamesTest() {
        eventually(() -> checker.state(USERNAME) == KindState.READY && checker.state(EMAIL) == KindState.READY);
    }

    @AfterEach
    void close() {
        checker.close();
    }

    @Test
    void noFormOfATakenNameIsFree() {
        for (String form : List.of(
                "alice7",
                "Alice7",
                "ALICE7",
                "aLiCe7", // case
                "\u1d00\u029f\u026a\u1d04\u1d077", // small capitals of a phonetic alphabet
                "\uff21\uff4c\uff49\uff43\uff45\uff17",
                "alice\uff17", // width
                "\ud835\udc1alice7",
                "\ud835\udc4elice7",
                "\ud835\udd52lice7",
                "\ud835\udd1elice7",
                "\ud835\ude8alice7", // bold, ...
                "alice\ud835\udfd5",
                "alice\ud835\udfe9",
                "alice\u2077",
                "\u24d0lice7",
                "\u1d43lice7",
                "al\u2071ce7", // ... raised
                "al\u0131ce7",
                "al\u0130ce7",
                "ali\u217de7",
                "alice\u2466", // dots, numerals
                "al\u200bice7",
                "al\u200dice7",
                "al\u00adice7",
                "al\ufe0fice7",
                "al\u034fice7",
                "al\u2060ice7",
                "al\u3164ice7", // unseen
                "\u202ealice7",
                "al\u2066ice7",
                "alice7\u200f",
                "alice7\ufeff", // direction
                "\u0430lice7",
                "\u03b1lice7",
                "alic\u04357",
                "alice\u0667",
                "alice\u06f7")) { // other scripts
            Status status = checker.check(USERNAME, form).status();
            assertThat(status).as(form).isIn(Status.TAKEN, Status.INVALID);
        }
    }

    @Test
    void whatIsTakenAndWouldBeRefusedTodayIsRefusedAndNeverFree() {
        long reads = store.reads();
        for (String name : List.of("\u0430lice", "alice\u0661", "\u0410LICE")) {
            Verdict verdict = checker.check(USERNAME, name);
            assertThat(verdict.status()).isEqualTo(Status.INVALID);
            assertThat(verdict.decidedBy()).isEqualTo(DecidedBy.NORMALIZER);
            assertThat(verdict.reason()).contains("mixed_scripts");
        }
        assertThat(checker.check(USERNAME, "ad.min").status()).isEqualTo(Status.RESERVED);
        assertThat(checker.check(USERNAME, "adm1n").decidedBy()).isEqualTo(DecidedBy.RESERVED_LIST);
        assertThat(store.reads()).isEqualTo(reads);
        assertThat(checker.check(USERNAME, "\u0410\u043d\u043d\u0430").status()).isEqualTo(Status.TAKEN);
    }

    @Test
    void whatLooksReservedIsNotFree() {
        for (String name : List.of(
                "\u0430dmin",
                "\u00e1dmin",
                "ad.min",
                "ad_min",
                "adm1n",
                "\u0430\u0434\u043c\u0438\u043d",
                "\u7ba1\u7406\u5458",
                "\u5ba2\u670d",
                "\uff41\uff44min",
                "\u0430\u0501\u043cin",
                "r00t")) {
            assertThat(checker.check(USERNAME, name).status()).as(name).isIn(Status.RESERVED, Status.INVALID);
            assertThat(checker.checkInMemory(USERNAME, name).available())
                    .as(name)
                    .isFalse();
            assertThat(checker.checkAll(USERNAME, List.of(name)).get(0).available())
                    .as(name)
                    .isFalse();
        }
        assertThat(checker.check(USERNAME, "adminer").available()).isTrue();
    }

    @Test
    void anAddressIsReservedByItselfAlone() {
        assertThat(checker.check(EMAIL, "info@example.com").status()).isEqualTo(Status.RESERVED);
        assertThat(checker.check(EMAIL, "in.fo@example.com").available()).isTrue();
        assertThat(checker.check(EMAIL, "inf0@example.com").available()).isTrue();
    }
}
