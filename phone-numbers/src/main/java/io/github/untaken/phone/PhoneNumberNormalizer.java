package io.github.untaken.phone;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import io.github.untaken.spi.IdentifierNormalizer;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Phone numbers: the key is the number in E.164, such as {@code +8613800138000}, however it was typed. Spaces, dashes,
 * brackets, full-width and other scripts' digits, international prefixes ({@code 00}) and, with a default region, national
 * forms are all the same number. Extensions are refused, since the number before one belongs to somebody else.
 *
 * <p>What is no number keeps its compatibility form in lower case as its key, so that a column with such values still
 * blocks them; those keys never begin with {@code +} and a digit, hence never collide with a number.
 *
 * <p>Costs some microseconds a text: unlike user names, phone numbers have to be parsed. Numbering plans change, so keep
 * libphonenumber up to date; a number that becomes valid later needs no migration, its key stays.
 *
 * <p>Immutable, thread-safe, does not block.
 */
public final class PhoneNumberNormalizer implements IdentifierNormalizer {
    /** The region code for "none" in libphonenumber. */
    private static final String NO_REGION = "ZZ";

    private static final int LONGEST_TEXT = 250;

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

    @Override
    public String key(String value) {
        String text = value;
        while (true) {
            String e164 = e164(text);
            if (e164 != null) {
                return e164.equals(value) ? value : e164;
            }
            // What folding leaves can be a number where the original was none: an "X" that was no extension, say.
            String folded = folded(text);
            if (folded.equals(text)) {
                return text;
            }
            text = folded;
        }
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

    /** Words before a plus sign keep what is no number apart from E.164. */
    private static String folded(String text) {
        String folded = Normalizer.normalize(
                        Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT), Normalizer.Form.NFKC)
                .strip();
        return folded.startsWith("+") ? "not " + folded : folded;
    }

    /**
     * One of {@code not_a_number}, {@code no_country_code}, {@code too_short}, {@code too_long}, {@code has_extension},
     * {@code invalid_number}.
     */
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
        if (numbers.isValidNumber(number)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (numbers.isPossibleNumberWithReason(number)) {
                    case TOO_SHORT, IS_POSSIBLE_LOCAL_ONLY -> "too_short";
                    case TOO_LONG -> "too_long";
                    default -> "invalid_number";
                });
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
