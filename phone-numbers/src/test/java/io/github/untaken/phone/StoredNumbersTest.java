package io.github.untaken.phone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberType;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import io.github.untaken.testkit.Seed;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The oracle is the parser. */
class StoredNumbersTest {
    private final PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
    private final StoredNumbers stored = new StoredNumbers(numbers);
    private final List<String> regions =
            numbers.getSupportedRegions().stream().sorted().toList();
    private final List<Integer> codes =
            numbers.getSupportedCallingCodes().stream().sorted().toList();

    @Test
    void aNumberToldAtAGlanceIsItsOwnKeyToTheParser() {
        compareWithTheParser(50_000);
    }

    @Test
    @Tag("ci")
    void aNumberToldAtAGlanceIsItsOwnKeyToTheParserInMillionsOfCases() {
        compareWithTheParser(2_000_000);
    }

    private void compareWithTheParser(int texts) {
        long seed = Seed.of(StoredNumbersTest.class, 20261124);
        SplittableRandom random = new SplittableRandom(seed);
        int told = 0;
        for (int n = 0; n < texts; n++) {
            String text = text(random);
            if (stored.isItsOwnKey(text)) {
                told++;
                String region = regions.get(random.nextInt(regions.size()));
                PhoneNumberNormalizer normalizer = n % 10 == 0
                        ? PhoneNumberNormalizer.international()
                        : PhoneNumberNormalizer.forRegion(n % 2 == 0 ? region : regionOf(text));
                if (!normalizer.parsedKey(text).equals(text)) {
                    throw new AssertionError("seed " + seed + ", text " + n + ": " + normalizer.name() + ", " + text);
                }
            }
        }
        assertThat(told).isGreaterThan(texts / 5);
    }

    @Test
    void mostExampleNumbersAreToldAtAGlance() {
        int all = 0;
        int told = 0;
        for (String region : regions) {
            for (PhoneNumberType type : PhoneNumberType.values()) {
                PhoneNumber example = numbers.getExampleNumberForType(region, type);
                if (example != null) {
                    String text = numbers.format(example, PhoneNumberFormat.E164);
                    boolean itself = stored.isItsOwnKey(text);
                    all++;
                    told += itself ? 1 : 0;
                    String key = PhoneNumberNormalizer.international().parsedKey(text);
                    assertThat(!itself || key.equals(text)).as(text).isTrue();
                }
            }
        }
        assertThat(told).as("of " + all).isGreaterThan(all * 9 / 10);
    }

    /** A library that was repackaged without its plans. */
    @Test
    void whereAPlanIsMissingNothingIsToldAtAGlance() {
        StoredNumbers without = new StoredNumbers(PhoneNumberUtil.createInstance(file -> null));
        assertThat(without.isItsOwnKey("+4915112345678")).isFalse();
        assertThat(without.isItsOwnKey("+4915112345678")).isFalse();
    }

    private String regionOf(String text) {
        return codes.stream()
                .filter(code -> text.startsWith("+" + code))
                .map(numbers::getRegionCodeForCountryCode)
                .filter(regions::contains)
                .findFirst()
                .orElse("CN");
    }

    /** Of every calling code and none, some with a trunk prefix, a zero, too few or too many digits, or a character that is none. */
    private String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder("+");
        text.append(random.nextInt(20) == 0 ? random.nextInt(1_000) : codes.get(random.nextInt(codes.size())));
        if (random.nextInt(4) == 0) {
            text.append(random.nextInt(100)); // where trunk prefixes stand
        }
        int length = random.nextInt(30) == 0 ? random.nextInt(20) : 8 + random.nextInt(7);
        while (text.length() <= length) {
            text.append(random.nextInt(10));
        }
        if (random.nextInt(20) == 0) {
            char other = " -(a\uff11\u0663\ud800+;\uff0b".charAt(random.nextInt(10));
            text.setCharAt(random.nextInt(text.length()), other);
        }
        return text.toString();
    }
}
