package io.github.untaken.phone;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.Phonemetadata.PhoneMetadata;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import com.google.i18n.phonenumbers.metadata.DefaultMetadataDependenciesProvider;
import com.google.i18n.phonenumbers.metadata.source.MetadataSource;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which numbers behind one calling code the parser leaves as they are. Immutable. */
/*
 * After a plus and a calling code, the parser strips a trunk prefix by the region's pattern, and counts leading zeros; it keeps everything
 * else. Whether a number is possible depends on its length alone. So a number without a leading zero is left alone if its length is
 * possible and the pattern does not match. The first four digits show that wherever the pattern fails on them without asking for more.
 */
final class CallingCode {
    /** The region code of calling codes that belong to no region. */
    private static final String NO_REGION = "001";

    private static final int LOOKED_AT = 4;
    private static final int BEGINNINGS = 10_000;
    private static final int LONGEST = 17;

    private final BitSet kept;
    private final int lengths;

    private CallingCode(BitSet kept, int lengths) {
        this.kept = kept;
        this.lengths = lengths;
    }

    /** Reads the numbering plan, which takes a millisecond or two. */
    static CallingCode of(PhoneNumberUtil numbers, int code) {
        return new CallingCode(kept(trunkPrefix(numbers, code)), possibleLengths(numbers, code));
    }

    /** A code about which nothing is known. */
    static CallingCode unknown() {
        return new CallingCode(new BitSet(), 0);
    }

    /** @param text digits from there on, four at least */
    boolean keeps(String text, int from) {
        int beginning = 0;
        for (int i = from; i < from + LOOKED_AT; i++) {
            beginning = 10 * beginning + (text.charAt(i) - '0');
        }
        return (lengths >>> (text.length() - from) & 1) != 0 && kept.get(beginning);
    }

    private static String trunkPrefix(PhoneNumberUtil numbers, int code) {
        MetadataSource plans = DefaultMetadataDependenciesProvider.getInstance().getPhoneNumberMetadataSource();
        String region = numbers.getRegionCodeForCountryCode(code);
        PhoneMetadata plan = region.equals(NO_REGION)
                ? plans.getMetadataForNonGeographicalRegion(code)
                : plans.getMetadataForRegion(region);
        return plan.getNationalPrefixForParsing();
    }

    private static BitSet kept(String trunkPrefix) {
        BitSet kept = new BitSet(BEGINNINGS);
        kept.set(BEGINNINGS / 10, BEGINNINGS); // no zero in front
        if (!trunkPrefix.isEmpty()) {
            Matcher matcher = Pattern.compile(trunkPrefix).matcher("");
            for (int beginning = BEGINNINGS / 10; beginning < BEGINNINGS; beginning++) {
                boolean stripped = matcher.reset(Integer.toString(beginning)).lookingAt();
                kept.set(beginning, !stripped && !matcher.hitEnd());
            }
        }
        return kept;
    }

    private static int possibleLengths(PhoneNumberUtil numbers, int code) {
        int lengths = 0;
        long national = 1;
        for (int length = 1; length <= LONGEST; length++) {
            PhoneNumber number = new PhoneNumber().setCountryCode(code).setNationalNumber(national);
            lengths |= numbers.isPossibleNumber(number) ? 1 << length : 0;
            national *= 10;
        }
        return lengths;
    }
}
