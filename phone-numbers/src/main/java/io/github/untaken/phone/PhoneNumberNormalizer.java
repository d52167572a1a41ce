package io.github.untaken.phone;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Phone numbers: the key is the number in E.164, such as {@code +8613800138000}, however it was typed. Spaces, dashes,
 * brackets, full-width and other scripts' digits, international prefixes ({@code 00}), a bracketed {@code (0)} and, with a
 * default region, national forms are all the same number.
 *
 * <p><b>The key.</b> A text that libphonenumber reads as a number of a possible length has the number's E.164 form as its key,
 * whether or not the numbering plan uses that number today; so a number that is assigned later keeps its key. Any other
 * text, also a number with an extension, has the key that {@link UsernameNormalizer} gives it, without surrounding spaces, so that a
 * column with such values still blocks them. That form is never the E.164 form of a possible number.
 *
 * <p><b>What may be registered</b> is a number that its numbering plan knows as valid, written in digits and punctuation.
 * Codes of a refusal: {@code not_a_number} (no number, or letters in it: {@code 1-800-FLOWERS} has the key of its digits but
 * has to be typed in digits), {@code no_country_code} (missing or unknown; or begun with {@code 00} where that is not dialled; or with
 * digits that are a number with a plus before them, and another one without), {@code too_short}, {@code too_long},
 * {@code has_extension} (an extension shares the number before it), {@code invalid_number} (a possible length, but not in
 * use). A leading {@code tel:} is accepted.
 *
 * <p>Numbering plans change; keep libphonenumber up to date. Its version is part of the {@linkplain #name name}, so after a change nothing
 * is believed that was kept under the old keys. Most texts in E.164 are returned as they are, after one look at their
 * digits. Any other spelling has to be parsed, twice, which takes microseconds. The first number of a region takes some milliseconds,
 * for its plan is read then.
 *
 * <p>Immutable and thread-safe; blocks only while a numbering plan is read from the jar.
 */
public final class PhoneNumberNormalizer implements IdentifierNormalizer.Named {
    /** The region code for "none" in libphonenumber. */
    private static final String NO_REGION = "ZZ";

    private static final int LONGEST_TEXT = 250;

    /** Far more than any text is known to need, which is three. */
    private static final int STEPS = 16;

    private static final StoredNumbers STORED = new StoredNumbers(PhoneNumberUtil.getInstance());

    private final PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
    private final String region;

    private PhoneNumberNormalizer(String region) {
        this.region = region;
    }

    /** Without a country code a text is refused. */
    public static PhoneNumberNormalizer international() {
        return new PhoneNumberNormalizer(NO_REGION);
    }

    /**
     * A text without a country code is a number of this region.
     *
     * @param region two letters of ISO 3166, such as {@code CN}; case does not matter
     * @throws IllegalArgumentException if libphonenumber knows no such region
     */
    public static PhoneNumberNormalizer forRegion(String region) {
        String upper = region.toUpperCase(Locale.ROOT);
        if (!PhoneNumberUtil.getInstance().getSupportedRegions().contains(upper)) {
            throw new IllegalArgumentException(
                    "region must be two letters of ISO 3166 that libphonenumber knows, such as CN, but was '" + region
                            + "'; for none use international()");
        }
        return new PhoneNumberNormalizer(upper);
    }

    /** With the region and with the version of libphonenumber; if that cannot be told, another one in each process. */
    @Override
    public String name() {
        return "phone 2, region " + region + ", libphonenumber " + LibraryVersion.TEXT;
    }

    @Override
    public String key(String value) {
        return STORED.isItsOwnKey(value) ? value : parsedKey(value);
    }

    /** The key of any text, found by parsing it. */
    String parsedKey(String value) {
        String text = value;
        for (int step = 0; step < STEPS; step++) {
            String next = next(text);
            if (next.equals(text)) {
                break;
            }
            text = next;
        }
        return text.equals(value) ? value : text;
    }

    /**
     * One step towards the key. A second one can lead further: formatting puts zeros between the country code and the
     * number where parsing takes them for a trunk prefix, and folding can turn into digits what was none.
     */
    private String next(String text) {
        String e164 = e164(text);
        return e164 == null ? folded(text) : e164;
    }

    private @Nullable String e164(String text) {
        PhoneNumber number = parsed(text);
        return number == null || number.hasExtension() || !numbers.isPossibleNumber(number)
                ? null
                : numbers.format(number, PhoneNumberFormat.E164);
    }

    private @Nullable PhoneNumber parsed(String value) {
        try {
            return numbers.parse(value, region);
        } catch (NumberParseException e) {
            return null;
        }
    }

    private static String folded(String text) {
        return UsernameNormalizer.defaults().key(text).strip();
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        if (text.length() > LONGEST_TEXT) {
            return Optional.of("too_long");
        }
        PhoneNumber number;
        try {
            number = numbers.parse(text, region);
        } catch (NumberParseException e) {
            return Optional.of(reason(e.getErrorType()));
        }
        if (number.hasExtension()) {
            return Optional.of("has_extension");
        }
        if (!isWrittenInDigits(text)) {
            return Optional.of("not_a_number");
        }
        boolean valid = numbers.isValidNumber(number) && isE164(key);
        if (valid ? mayLackItsPlus(text, key) : beginsWithZerosForPlus(text)) {
            return Optional.of("no_country_code");
        }
        if (valid) {
            return Optional.empty();
        }
        return Optional.of(
                switch (numbers.isPossibleNumberWithReason(number)) {
                    case TOO_SHORT, IS_POSSIBLE_LOCAL_ONLY -> "too_short";
                    case TOO_LONG -> "too_long";
                    default -> "invalid_number";
                });
    }

    /**
     * Whether a text is a number of the region, but with a plus before it another number, so that nobody knows which was meant: in Germany
     * {@code
     * 49 151 23456789} is read as a number in the area 0491.
     */
    private boolean mayLackItsPlus(String text, String key) {
        String digits = PhoneNumberUtil.normalizeDigitsOnly(text);
        String code = Integer.toString(numbers.getCountryCodeForRegion(region));
        boolean readAsNational = key.equals("+" + code + digits);
        return readAsNational && digits.startsWith(code) && isValidAbroad("+" + digits);
    }

    /** Whether it is a number once a plus stands for the two zeros that most of the world dials, though not this region. */
    private boolean beginsWithZerosForPlus(String text) {
        String digits = PhoneNumberUtil.normalizeDigitsOnly(text);
        return digits.startsWith("00") && isValidAbroad("+" + digits.substring(2));
    }

    private boolean isValidAbroad(String text) {
        try {
            return numbers.isValidNumber(numbers.parse(text, NO_REGION));
        } catch (NumberParseException e) {
            return false;
        }
    }

    /** Whether it has the form of a valid number's key. */
    private static boolean isE164(String key) {
        return key.startsWith("+") && key.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    }

    /** The parser looks for a number anywhere in a text and reads letters as keys of a phone; a person may not. */
    private static boolean isWrittenInDigits(String text) {
        int begin = text.startsWith("tel:") ? 4 : 0;
        return text.substring(begin).codePoints().allMatch(PhoneNumberNormalizer::isDigitOrPunctuation);
    }

    private static boolean isDigitOrPunctuation(int c) {
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER,
                    Character.SPACE_SEPARATOR,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION -> true;
            // Address books wrap a copied number into marks of direction.
            case Character.FORMAT -> true;
            // The long vowel mark is a letter, but stands for a dash in Japanese texts.
            default -> "+./~\u2212\u30FC\uFF0B\uFF0E\uFF0F\uFF5E\t".indexOf(c) >= 0;
        };
    }

    private static String reason(NumberParseException.ErrorType type) {
        return switch (type) {
            case INVALID_COUNTRY_CODE -> "no_country_code";
            case TOO_SHORT_AFTER_IDD, TOO_SHORT_NSN -> "too_short";
            case TOO_LONG -> "too_long";
            case NOT_A_NUMBER -> "not_a_number";
        };
    }
}
