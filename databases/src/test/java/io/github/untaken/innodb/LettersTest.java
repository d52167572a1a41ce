package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.collations.AlikeTexts;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.store.Equality;
import io.github.untaken.store.Stores;
import io.github.untaken.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a collation holds equal has one fold, by the table of letters that the server has drawn up itself. */
class LettersTest {
    private static final long SEED = Seed.of(LettersTest.class, 20261128);
    private static final long PAIRS = Long.getLong("alike.pairs", 10_000);

    private static final List<String> USUAL_ON_MARIADB = List.of(
            "utf8mb4_general_ci",
            "utf8mb4_uca1400_ai_ci",
            "utf8mb4_unicode_ci",
            "utf8mb4_danish_ci",
            "utf8mb4_bin",
            "latin1_swedish_ci");
    private static final List<String> OTHERS_ON_MARIADB = List.of(
            "utf8mb4_uca1400_as_ci",
            "utf8mb4_uca1400_as_cs",
            "utf8mb4_uca1400_nopad_ai_ci",
            "utf8mb4_unicode_520_ci",
            "utf8mb4_0900_ai_ci",
            "utf8mb4_swedish_ci",
            "utf8mb4_spanish2_ci",
            "utf8mb4_czech_ci",
            "utf8mb4_croatian_mysql561_ci",
            "utf8mb4_hungarian_ci",
            "utf8mb4_german2_ci",
            "utf8mb4_turkish_ci",
            "utf8mb4_roman_ci",
            "utf8mb4_thai_520_w2",
            "utf8mb4_nopad_bin",
            "latin1_german2_ci",
            "utf8mb3_general_ci");
    private static final List<String> USUAL_ON_MYSQL = List.of(
            "utf8mb4_0900_ai_ci",
            "utf8mb4_general_ci",
            "utf8mb4_unicode_ci",
            "utf8mb4_da_0900_ai_ci",
            "utf8mb4_bin",
            "latin1_swedish_ci");
    private static final List<String> OTHERS_ON_MYSQL = List.of(
            "utf8mb4_0900_as_ci",
            "utf8mb4_0900_as_cs",
            "utf8mb4_0900_bin",
            "utf8mb4_unicode_520_ci",
            "utf8mb4_danish_ci",
            "utf8mb4_de_pb_0900_ai_ci",
            "utf8mb4_es_trad_0900_ai_ci",
            "utf8mb4_hu_0900_ai_ci",
            "utf8mb4_hr_0900_ai_ci",
            "utf8mb4_cs_0900_ai_ci",
            "utf8mb4_tr_0900_ai_ci",
            "utf8mb4_vi_0900_ai_ci",
            "utf8mb4_ja_0900_as_cs",
            "utf8mb4_ja_0900_as_cs_ks",
            "utf8mb4_ru_0900_ai_ci",
            "utf8mb4_zh_0900_as_cs",
            "utf8mb3_general_ci");

    static List<String> usual() {
        return Product.UNDER_TEST == Product.MYSQL ? USUAL_ON_MYSQL : USUAL_ON_MARIADB;
    }

    static List<String> others() {
        return Product.UNDER_TEST == Product.MYSQL ? OTHERS_ON_MYSQL : OTHERS_ON_MARIADB;
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("others")
    void underOtherCollationsToo(String collation) {
        whateverIsHeldEqualHasOneFold(collation);
    }

    @ParameterizedTest
    @MethodSource("usual")
    void whateverIsHeldEqualHasOneFold(String collation) {
        String charset = collation.substring(0, collation.indexOf('_'));
        try (Table table =
                new Table(Driver.MARIADB, "varchar(60) character set " + charset + " collate " + collation)) {
            Grouping store = (Grouping) table.store();
            long begun = System.nanoTime();
            Equality.Finding found = new Equality(
                            IdentifierKind.USERNAME, UsernameNormalizer.defaults(), new SplittableRandom(SEED))
                    .look(new Stores(List.of(store)));
            long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            AlikeTexts compared = new AlikeTexts(SEED).compare(store, found.fold(), PAIRS);
            System.out.printf(
                    "letters of %s: %d ms, %,d equal pairs, %d of them told apart%n",
                    collation, millis, compared.pairs(), compared.missed().size());
            assertThat(found.objection()).isEmpty();
            assertThat(compared.missed()).isEmpty();
            assertThat(compared.shareOfLatinNamesWithTheirOwnFold(store, found.fold()))
                    .isGreaterThanOrEqualTo(0.999);
        }
    }
}
