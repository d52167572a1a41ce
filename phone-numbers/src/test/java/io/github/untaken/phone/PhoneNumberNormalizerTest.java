package io.github.untaken.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneNumberNormalizerTest {
    private final PhoneNumberNormalizer chinese = PhoneNumberNormalizer.forRegion("CN");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "138 0013 8000",
                "13800138000",
                "+86 138-0013-8000",
                "+8613800138000",
                "008613800138000",
                "(138) 0013-8000",
                "\uff11\uff13\uff18\uff10\uff10\uff11\uff13\uff18\uff10\uff10\uff10",
                "\uff0b\uff18\uff16 \uff11\uff13\uff18 \uff10\uff10\uff11\uff13 \uff18\uff10\uff10\uff10",
                "\u0661\u0663\u0668\u0660\u0660\u0661\u0663\u0668\u0660\u0660\u0660",
                "  13800138000  ",
                "tel:+86-138-0013-8000",
                "+86 (0) 138 0013 8000",
                "0138 0013 8000",
                "+86.138.0013.8000",
                "\u202a+86 138 0013 8000\u202c",
                "138\u30fc0013\u30fc8000",
                "\t13800138000",
            })
    void theseSpellingsAreOneNumber(String text) {
        String key = chinese.key(text);
        assertThat(key).isEqualTo("+8613800138000");
        assertThat(chinese.rejection(text, key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "abc, not_a_number",
        "12, too_short",
        "1380013800, invalid_number",
        "138001380001380013800, too_long",
        "13800138000 ext 5, has_extension",
        "+99913800138000, no_country_code",
        "'', not_a_number",
        "+, not_a_number",
        "138001380OO, not_a_number",
        "call 13800138000, not_a_number",
        "13800138000!, not_a_number",
        "\uD83D\uDCDE13800138000, not_a_number",
        "+8613800138000;ext=5, has_extension",
        "13800138000 # 5, has_extension",
        "+86, not_a_number",
        "110, too_short",
        "+8610000000000, invalid_number",
    })
    void theseAreRefusedWithAReason(String text, String reason) {
        assertThat(chinese.rejection(text, chinese.key(text))).contains(reason);
    }

    /** In the countries with most people, Germany and Japan: national, with the trunk prefix, in brackets, with the code and without its plus. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                CN | 138 0013 8000 | +8613800138000
                CN | 13800138000 | +8613800138000
                CN | 0138 0013 8000 | +8613800138000
                CN | (138) 0013-8000 | +8613800138000
                CN | +86 138 0013 8000 | +8613800138000
                CN | 0086 138 0013 8000 | +8613800138000
                CN | 86 138 0013 8000 | +8613800138000
                CN | 8613800138000 | +8613800138000
                CN | +86 (0) 138 0013 8000 | +8613800138000
                CN | 010 6552 9988 | +861065529988
                CN | (010) 6552-9988 | +861065529988
                CN | +86 10 6552 9988 | +861065529988
                CN | 00861065529988 | +861065529988
                IN | 98765 43210 | +919876543210
                IN | 098765 43210 | +919876543210
                IN | (0)98765-43210 | +919876543210
                IN | +91 98765 43210 | +919876543210
                IN | +91-9876543210 | +919876543210
                IN | 0091 98765 43210 | +919876543210
                IN | 91 98765 43210 | +919876543210
                IN | 919876543210 | +919876543210
                IN | 011 2338 6447 | +911123386447
                IN | (011) 2338-6447 | +911123386447
                IN | +91 11 2338 6447 | +911123386447
                US | (212) 555-2368 | +12125552368
                US | 212-555-2368 | +12125552368
                US | 212.555.2368 | +12125552368
                US | 1-212-555-2368 | +12125552368
                US | 1 (212) 555-2368 | +12125552368
                US | +1 212 555 2368 | +12125552368
                US | 011 1 212 555 2368 | +12125552368
                US | 12125552368 | +12125552368
                ID | 0812-3456-7890 | +6281234567890
                ID | 812 3456 7890 | +6281234567890
                ID | (0812) 34567890 | +6281234567890
                ID | +62 812-3456-7890 | +6281234567890
                ID | +62 (0)812 3456 7890 | +6281234567890
                ID | 62 812 3456 7890 | +6281234567890
                ID | 6281234567890 | +6281234567890
                ID | 021 345 6789 | +62213456789
                ID | (021) 3456789 | +62213456789
                PK | 0301 2345678 | +923012345678
                PK | 0301-2345678 | +923012345678
                PK | 301 2345678 | +923012345678
                PK | (0301) 2345678 | +923012345678
                PK | +92 301 2345678 | +923012345678
                PK | 0092 301 2345678 | +923012345678
                PK | 92 301 2345678 | +923012345678
                PK | 923012345678 | +923012345678
                PK | 042 35761999 | +924235761999
                PK | (042) 35761999 | +924235761999
                NG | 0803 123 4567 | +2348031234567
                NG | 803 123 4567 | +2348031234567
                NG | (0803) 123-4567 | +2348031234567
                NG | +234 803 123 4567 | +2348031234567
                NG | +234 (0) 803 123 4567 | +2348031234567
                NG | 234 803 123 4567 | +2348031234567
                NG | 2348031234567 | +2348031234567
                NG | 009 234 803 123 4567 | +2348031234567
                BR | (11) 96123-4567 | +5511961234567
                BR | 011 96123-4567 | +5511961234567
                BR | 0 15 11 96123-4567 | +5511961234567
                BR | 11961234567 | +5511961234567
                BR | +55 11 96123-4567 | +5511961234567
                BR | +55 (11) 96123-4567 | +5511961234567
                BR | +55 (011) 96123-4567 | +5511961234567
                BR | 55 11 96123-4567 | +5511961234567
                BR | 0015 55 11 96123-4567 | +5511961234567
                BR | (11) 3123-4567 | +551131234567
                BR | 11 3123 4567 | +551131234567
                BD | 01712-345678 | +8801712345678
                BD | 1712 345678 | +8801712345678
                BD | (01712) 345678 | +8801712345678
                BD | +880 1712-345678 | +8801712345678
                BD | +880 (0)1712 345678 | +8801712345678
                BD | 880 1712 345678 | +8801712345678
                BD | 8801712345678 | +8801712345678
                BD | 00880 1712 345678 | +8801712345678
                RU | 8 (912) 345-67-89 | +79123456789
                RU | 8-912-345-67-89 | +79123456789
                RU | 89123456789 | +79123456789
                RU | (912) 345-67-89 | +79123456789
                RU | 912 345 67 89 | +79123456789
                RU | +7 912 345-67-89 | +79123456789
                RU | 7 912 345 67 89 | +79123456789
                RU | 79123456789 | +79123456789
                RU | 8 10 7 912 345 67 89 | +79123456789
                RU | 8 (495) 123-45-67 | +74951234567
                RU | (495) 123-45-67 | +74951234567
                MX | 55 1234 5678 | +525512345678
                MX | (55) 1234-5678 | +525512345678
                MX | 5512345678 | +525512345678
                MX | +52 55 1234 5678 | +525512345678
                MX | 52 55 1234 5678 | +525512345678
                MX | 0052 55 1234 5678 | +525512345678
                DE | 0151 23456789 | +4915123456789
                DE | (0151) 23456789 | +4915123456789
                DE | 0151/23456789 | +4915123456789
                DE | 151 23456789 | +4915123456789
                DE | +49 151 23456789 | +4915123456789
                DE | +49 (0)151 23456789 | +4915123456789
                DE | +49 (0) 151 / 234 567 89 | +4915123456789
                DE | 0049 151 23456789 | +4915123456789
                DE | 030 901820 | +4930901820
                DE | (030) 90 18 20 | +4930901820
                DE | 030/901820 | +4930901820
                JP | 090-1234-5678 | +819012345678
                JP | (090) 1234-5678 | +819012345678
                JP | 09012345678 | +819012345678
                JP | 90 1234 5678 | +819012345678
                JP | +81 90-1234-5678 | +819012345678
                JP | +81 (0)90-1234-5678 | +819012345678
                JP | 81 90 1234 5678 | +819012345678
                JP | 010 81 90 1234 5678 | +819012345678
                JP | \uff10\uff19\uff10\u30fc\uff11\uff12\uff13\uff14\u30fc\uff15\uff16\uff17\uff18 | +819012345678
                JP | \uff10\uff19\uff10\uff0d\uff11\uff12\uff13\uff14\uff0d\uff15\uff16\uff17\uff18 | +819012345678
                JP | 03-3213-1111 | +81332131111
                JP | 03(3213)1111 | +81332131111
                """)
    void whatPeopleTypeAtHomeIsOneNumberAndAbroadLacksItsCode(String region, String text, String key) {
        PhoneNumberNormalizer home = PhoneNumberNormalizer.forRegion(region);
        assertThat(home.key(text)).isEqualTo(key);
        assertThat(home.rejection(text, key)).isEmpty();

        PhoneNumberNormalizer anywhere = PhoneNumberNormalizer.international();
        String abroad = anywhere.key(text);
        if (text.startsWith("+")) {
            assertThat(abroad).isEqualTo(key);
            assertThat(anywhere.rejection(text, abroad)).isEmpty();
        } else {
            assertThat(anywhere.rejection(text, abroad)).contains("no_country_code");
        }
    }

    /** The code of the country in a way that is not dialled there, prefixes of former times, and numbers without the area. */
    @ParameterizedTest
    @CsvSource({
        "ID, 0062 812 3456 7890, no_country_code",
        "NG, 00234 803 123 4567, no_country_code",
        "BR, 0055 11 96123-4567, no_country_code",
        "JP, 0081 90 1234 5678, no_country_code",
        "RU, 007 912 345 67 89, no_country_code",
        "RU, +8 912 345-67-89, no_country_code",
        "US, 0044 20 7946 0018, no_country_code",
        "DE, 49 151 23456789, no_country_code",
        "MX, 01 55 1234 5678, too_long",
        "MX, 044 55 1234 5678, too_long",
        "MX, +52 1 55 1234 5678, too_long",
        "US, 555-2368, too_short",
        "BR, 96123-4567, invalid_number",
    })
    void whatCannotBeReadIsRefusedWithWhatIsMissing(String region, String text, String reason) {
        PhoneNumberNormalizer home = PhoneNumberNormalizer.forRegion(region);
        assertThat(home.rejection(text, home.key(text))).contains(reason);
    }

    /** Of each sort of number of each region. */
    @Test
    void aNumberWithoutItsPlusIsNeverAcceptedAsAnother() {
        PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
        int accepted = 0;
        List<String> refusedAtHome = new ArrayList<>();
        for (String region : numbers.getSupportedRegions()) {
            PhoneNumberNormalizer home = PhoneNumberNormalizer.forRegion(region);
            for (PhoneNumberUtil.PhoneNumberType type : numbers.getSupportedTypesForRegion(region)) {
                PhoneNumber example = numbers.getExampleNumberForType(region, type);
                if (example != null) {
                    String e164 = numbers.format(example, PhoneNumberFormat.E164);
                    String bare = e164.substring(1);
                    boolean isFree = home.rejection(bare, home.key(bare)).isEmpty();
                    String national = numbers.format(example, PhoneNumberFormat.NATIONAL);
                    if (home.key(national).equals(e164)
                            && home.rejection(national, e164).isPresent()) {
                        refusedAtHome.add(national + " in " + region);
                    }
                    assertThat(isFree && !home.key(bare).equals(e164))
                            .as("%s in %s is %s", bare, region, home.key(bare))
                            .isFalse();
                    accepted += isFree ? 1 : 0;
                }
            }
        }
        assertThat(accepted).isGreaterThan(500);
        assertThat(refusedAtHome).isEmpty();
    }

    @Test
    void withoutARegionTheCountryCodeIsNeeded() {
        PhoneNumberNormalizer anywhere = PhoneNumberNormalizer.international();
        assertThat(anywhere.key("+44 20 7946 0018")).isEqualTo("+442079460018");
        assertThat(anywhere.rejection("138 0013 8000", anywhere.key("138 0013 8000")))
                .contains("no_country_code");
    }

    @Test
    void anE164TextIsItsOwnKeyWithoutACopy() {
        String text = "+8613800138000";
        assertThat(chinese.key(text)).isSameAs(text);
    }

    @Test
    void keysOfStoredE164ValuesAreTheValuesInEveryRegion() {
        PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
        for (String region : numbers.getSupportedRegions()) {
            PhoneNumber example = numbers.getExampleNumber(region);
            if (example != null) {
                String e164 = numbers.format(example, PhoneNumberFormat.E164);
                for (PhoneNumberNormalizer normalizer : List.of(chinese, PhoneNumberNormalizer.forRegion(region))) {
                    assertThat(normalizer.key(e164)).as(region).isSameAs(e164);
                    assertThat(normalizer.rejection(e164, e164)).as(region).isEmpty();
                }
                String national = numbers.format(example, PhoneNumberFormat.NATIONAL);
                assertThat(PhoneNumberNormalizer.forRegion(region).key(national))
                        .as(region)
                        .isEqualTo(e164);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "US, 1-800-FLOWERS, +18003569377, not_a_number",
        "GB, +44 (0)20 7946 0018, +442079460018, ",
        "IT, 06 1234 5678, +390612345678, ",
        "DE, \uff0b49 (0)151 23456789, +4915123456789, ",
        "DE, tel:+49 (0)151 23456789, +4915123456789, ",
        "DE, \u202a+49 (0)151 23456789\u202c, +4915123456789, ",
        "CN, 13800138000 ext 5, 13800138000 ext 5, has_extension",
        "CN, Not A Number, not a number, not_a_number",
        "CN, +999 138, +999 138, no_country_code",
    })
    void theseAreDecidedSo(String region, String text, String key, String reason) {
        PhoneNumberNormalizer normalizer = PhoneNumberNormalizer.forRegion(region);
        assertThat(normalizer.key(text)).isEqualTo(key);
        assertThat(normalizer.rejection(text, key)).isEqualTo(Optional.ofNullable(reason));
    }

    @Test
    void aKeyIsItsOwnKeyWhateverWasTypedWhereverItWasTyped() {
        long seed = 20261121;
        SplittableRandom random = new SplittableRandom(seed);
        PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
        List<String> regions = numbers.getSupportedRegions().stream().sorted().toList();
        for (int i = 0; i < 20_000; i++) {
            String region = regions.get(random.nextInt(regions.size()));
            PhoneNumberNormalizer normalizer =
                    i % 10 == 0 ? PhoneNumberNormalizer.international() : PhoneNumberNormalizer.forRegion(region);
            String text = random.nextBoolean() ? noise(random) : almostANumber(random, numbers, regions);
            String key = normalizer.key(text);
            String what = String.format("seed %d, round %d, region %s, text '%s'", seed, i, region, text);
            assertThat(normalizer.key(key)).as(what).isEqualTo(key);
            if (normalizer.rejection(text, key).isEmpty()) {
                assertThat(key).as(what).matches("\\+[1-9][0-9]{4,16}");
                assertThat(normalizer.rejection(key, key)).as(what).isEmpty();
                assertThat(PhoneNumberNormalizer.international().key(key))
                        .as(what)
                        .isEqualTo(key);
            }
        }
    }

    /** Marks that change places, one that decomposes into two of these, and a letter whose small form depends on what follows. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0315", "\u0F73", "\u03A3"})
    void aKeyTakesATimeThatGrowsAsTheText(String unit) {
        String text = "+86 138 0013 8000" + unit.repeat(60_000) + "\u0334".repeat(60_000);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            String key = chinese.key(text);
            assertThat(chinese.key(key).equals(key)).isTrue();
        });
    }

    private static String noise(SplittableRandom random) {
        String alphabet = "+0123456789 -()abcxEXT#;=,\uff0b\uff11\u0663\u00e9\ud800\u4e2d\u2460";
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(20); n > 0; n--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** A prefix that means something, then digits, and sometimes something between them. */
    private static String almostANumber(SplittableRandom random, PhoneNumberUtil numbers, List<String> regions) {
        int country = numbers.getCountryCodeForRegion(regions.get(random.nextInt(regions.size())));
        StringBuilder text = new StringBuilder(
                switch (random.nextInt(5)) {
                    case 0 -> "00";
                    case 1 -> "0";
                    case 2 -> "+" + country;
                    case 3 -> "00" + country + "0";
                    default -> "+" + country + " (0)";
                });
        for (int n = random.nextInt(13); n > 0; n--) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        if (random.nextInt(4) == 0) {
            text.insert(random.nextInt(text.length()), " -x./a\u2460".charAt(random.nextInt(7)));
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({"GA, 00840009314865, +849314865", "AT, +43004y2309750, +4342309750", "TW, 0049516434, +88649516434"})
    void zerosThatParsingStripsOneAtATimeAreAllGone(String region, String text, String key) {
        assertThat(PhoneNumberNormalizer.forRegion(region).key(text)).isEqualTo(key);
    }

    @Test
    void onlyTextsWhoseKeysAreNumbersMayBeRegistered() {
        assertThat(chinese.rejection("13800138000", "+8613800138000")).isEmpty();
        for (String key : List.of("13800138000", "+86 13800138000", "", "+\u0661\u0663")) {
            assertThat(chinese.rejection("13800138000", key)).as(key).contains("invalid_number");
        }
    }

    @Test
    void anUnknownRegionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhoneNumberNormalizer.forRegion("XQ"))
                .withMessageContaining("'XQ'");
    }
}
