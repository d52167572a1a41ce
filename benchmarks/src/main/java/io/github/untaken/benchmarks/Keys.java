package io.github.untaken.benchmarks;

import java.math.BigInteger;

/**
 * Where the keys come from: the same number gives the same key in every JVM, different numbers different ones, and nobody can
 * tell from one key the next. Each call makes a new string, whose hash code nobody has asked for yet.
 */
public enum Keys {
    /** User names of 8 to 20 characters. */
    NAMES {
        @Override
        public String key(long number) {
            long random = mix(number);
            byte[] name = new byte[8 + (int) ((random >>> 33) % 13)];
            int at = name.length - 7;
            long letters = mix(random);
            for (int i = 0; i < at; i++) {
                name[i] = (byte) ('a' + (letters & 31) % 26);
                letters = Long.rotateRight(letters, 5);
            }
            // The suffix visits all of 36 to the 7th before it repeats.
            long suffix = number * NAME_STEP % NAMES_END;
            for (int i = name.length - 1; i >= at; i--) {
                name[i] = (byte) Character.forDigit((int) (suffix % 36), 36);
                suffix /= 36;
            }
            return latin1(name);
        }

        @Override
        long numberAtTheEnd(String key) {
            return parse(key, 7, 36, NAME_STEP, NAMES_END);
        }
    },
    /** Phone numbers in the form of E.164, 12 to 14 characters. */
    PHONES {
        @Override
        public String key(long number) {
            long random = mix(number);
            int digits = 11 + (int) ((random >>> 33) % 3);
            byte[] phone = new byte[digits + 1];
            phone[0] = '+';
            // The last ten digits visit all ten thousand millions before they repeat.
            long rest = number * PHONE_STEP % PHONES_END;
            for (int i = digits; i > digits - 10; i--) {
                phone[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            long country = 1 + (random & 7);
            for (int i = 1; i <= digits - 10; i++) {
                phone[i] = (byte) ('0' + country);
                country = 1 + ((random >>> (8 * i)) & 7);
            }
            return latin1(phone);
        }

        @Override
        long numberAtTheEnd(String key) {
            return parse(key, 10, 10, PHONE_STEP, PHONES_END);
        }
    };

    private static final long NAME_STEP = 60_013_357L;
    private static final long NAMES_END = 78_364_164_096L;
    private static final long PHONE_STEP = 387_420_489L;
    private static final long PHONES_END = 10_000_000_000L;

    /** The key of a number from 0 to some ten thousand millions. */
    public abstract String key(long number);

    /** What the end of the key says, or -1. */
    abstract long numberAtTheEnd(String key);

    /** The number whose key this is, or -1 if there is none: so a store can be as large as it likes and hold nothing. */
    public long number(String key) {
        long number = numberAtTheEnd(key);
        return number >= 0 && key(number).equals(key) ? number : -1;
    }

    private static long parse(String key, int digits, int radix, long step, long end) {
        if (key.length() <= digits) {
            return -1;
        }
        try {
            BigInteger rest = new BigInteger(key.substring(key.length() - digits), radix);
            BigInteger modulus = BigInteger.valueOf(end);
            return rest.multiply(BigInteger.valueOf(step).modInverse(modulus))
                    .mod(modulus)
                    .longValueExact();
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** As many keys as {@code into} is long, numbered from {@code first} on. */
    public void fill(String[] into, long first) {
        for (int i = 0; i < into.length; i++) {
            into[i] = key(first + i);
        }
    }

    /** The finalizer of SplitMix64. */
    public static long mix(long number) {
        long z = (number + 1) * 0x9e37_79b9_7f4a_7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return z ^ (z >>> 31);
    }

    @SuppressWarnings("deprecation") // the quickest way from bytes that are known to be ASCII
    private static String latin1(byte[] characters) {
        return new String(characters, 0);
    }
}
