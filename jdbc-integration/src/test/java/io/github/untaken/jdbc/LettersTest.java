package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.collations.AlikeTexts;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.store.Equality;
import io.github.untaken.store.Stores;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a database holds equal has one fold, by the table of letters that it has drawn up itself. */
class LettersTest {
    private static final long SEED = Seed.of(LettersTest.class, 20261128);
    private static final long PAIRS = Long.getLong("alike.pairs", 10_000);

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "und-u-ks-level1",
                "und-u-ks-level2",
                "de-u-ks-level1",
                "sv-u-ks-level2",
                "tr-u-ks-level2",
                "hu-u-ks-level1",
                "es-u-co-trad-ks-level1",
                "und-u-ka-shifted-ks-level1"
            })
    void ofAnIcuCollation(String locale) {
        String name = '"' + locale + '"';
        Extensions.run("create collation if not exists " + name + " (provider = icu, locale = '" + locale
                + "', deterministic = false)");
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text collate " + name)) {
            assertNoneIsMissed(locale, table);
        }
    }

    @Tag("ci")
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "text; create unique index on TABLE (lower(username))",
                "text; create unique index on TABLE (upper(username))",
                "text; create unique index on TABLE (lower(username collate \"und-x-icu\"))",
                "text; create unique index on TABLE (replace(lower(username), '.', ''))",
                "text; create unique index on TABLE (normalize(lower(username), NFKC))",
                "text; create unique index on TABLE (replace(lower(username), 'rn', 'm'))",
                "citext; select 1",
                "char(30); select 1"
            })
    void ofAnIndexOrAType(String type, String index) {
        if (type.equals("citext")) {
            Extensions.create("citext");
        }
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, type)) {
            table.sql(index);
            assertNoneIsMissed(type + " " + index, table);
        }
    }

    @Tag("ci")
    @ParameterizedTest
    @CsvSource({
        "off, varchar_ignorecase(60)",
        "off, char(60)",
        "off, varchar(60)",
        "ENGLISH strength primary, varchar(60)",
        "ENGLISH strength secondary, varchar(60)",
        "GERMAN strength primary, varchar(60)"
    })
    void ofH2(String collation, String type) {
        try (TestTable table = TestTable.on(Engine.H2, "varchar(40)")) {
            table.sql(
                    "drop all objects",
                    "set collation " + collation,
                    "create table TABLE (id bigint auto_increment primary key, username " + type + " unique)");
            assertNoneIsMissed(collation + " " + type, table);
        }
    }

    /**
     * Digits at the end count for nothing; aa is an a with a ring, and then an a before such a one counts for nothing; an a with two dots is
     * ae, but neither with a dot below.
     */
    @Tag("ci")
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "text; create unique index on TABLE (regexp_replace(username, '[0-9]+$', '')); '[0-9]'",
                "text collate danish; select 1; 'a'",
                "text collate danish_caseless; select 1; 'a'",
                "text collate phonebook; select 1; '[ae]'"
            })
    void whereNoTableIsAsCoarseTheDatabaseAnswersAndTheReasonNamesALetter(String type, String index, String what) {
        Extensions.run("create collation if not exists danish"
                + " (provider = icu, locale = 'da-u-ks-level1', deterministic = false);"
                + "create collation if not exists danish_caseless"
                + " (provider = icu, locale = 'da-u-ks-level2', deterministic = false);"
                + "create collation if not exists phonebook"
                + " (provider = icu, locale = 'de-u-co-phonebk-ks-level1', deterministic = false)");
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, type)) {
            table.sql(index);
            assertThat(equality().look(new Stores(List.of(table.store()))).objection())
                    .hasValueSatisfying(
                            reason -> assertThat(reason).containsPattern("in some texts it ignores " + what));
        }
    }

    private static Equality equality() {
        return new Equality(IdentifierKind.USERNAME, UsernameNormalizer.defaults(), new SplittableRandom(SEED));
    }

    private static void assertNoneIsMissed(String what, TestTable table) {
        Grouping store = (Grouping) table.store();
        long begun = System.nanoTime();
        Equality.Finding found = equality().look(new Stores(List.of(store)));
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        AlikeTexts compared = new AlikeTexts(SEED).compare(store, found.fold(), PAIRS);
        System.out.printf(
                "letters of %s: %d ms, %,d equal pairs, %d of them told apart%n",
                what, millis, compared.pairs(), compared.missed().size());
        assertThat(found.objection()).isEmpty();
        assertThat(compared.missed()).isEmpty();
        assertThat(compared.shareOfLatinNamesWithTheirOwnFold(store, found.fold()))
                .isGreaterThanOrEqualTo(0.999);
    }
}
