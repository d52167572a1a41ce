package io.github.untaken.phone;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import org.jspecify.annotations.Nullable;

/**
 * Recognises most numbers in E.164, as they are stored, as their own keys, in a hundredth of the time that parsing takes.
 * Thread-safe: two threads may read one plan at a time, with the same result.
 */
final class StoredNumbers {
    private static final int SHORTEST = 8;
    private static final int LONGEST = 15;
    private static final int LONGEST_CODE = 3;

    private final PhoneNumberUtil numbers;
    private final boolean[] known = new boolean[1_000];
    private final @Nullable CallingCode[] codes = new CallingCode[known.length];

    StoredNumbers(PhoneNumberUtil numbers) {
        this.numbers = numbers;
        for (int code : numbers.getSupportedCallingCodes()) {
            known[code] = true;
        }
    }

    /** False may mean anything. */
    boolean isItsOwnKey(String text) {
        int digits = text.length() - 1;
        if (digits < SHORTEST || digits > LONGEST || text.charAt(0) != '+' || text.charAt(1) == '0') {
            return false;
        }
        for (int i = 1; i <= digits; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        int code = 0;
        for (int i = 1; i <= LONGEST_CODE; i++) { // as the parser: no code begins with another
            code = 10 * code + (text.charAt(i) - '0');
            if (known[code]) {
                return callingCode(code).keeps(text, i + 1);
            }
        }
        return false;
    }

    private CallingCode callingCode(int code) {
        CallingCode before = codes[code];
        if (before != null) {
            return before;
        }
        CallingCode read = read(code);
        codes[code] = read;
        return read;
    }

    private CallingCode read(int code) {
        try {
            return CallingCode.of(numbers, code);
        } catch (RuntimeException
                | LinkageError e) { // a plan may be missing, or another version may keep its plans elsewhere
            return CallingCode.unknown();
        }
    }
}
