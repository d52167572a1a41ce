package io.github.untaken.benchmarks;

/**
 * Where the keys come from: the same number gives the same key in every JVM, different numbers different ones, and nobody can
 * tell from one key the next. Each call makes a new string, whose hash code nobody has asked for yet.
 */
enum Keys {
    /** User names of 8 to 20 characters. */
    NAMES {
        @Override
        String key(long number) {
            long random = mix(number);
            byte[] name = new byte[8 + (int) ((random >>> 33) % 13)];
            int at = name.length - 7;
            long letters = mix(random);
            for (int i = 0; i < at; i++) {
                name[i] = (byte) ('a' + (letters & 31) % 26);
                letters = Long.rotateRight(letters, 5);
            }
            // The suffix visits all of 36 to the 7th before it repeats.
            long suffix = number * 60_013_357L % 78_364_164_096L;
            for (int i = name.length - 1; i >= at; i--) {
                name[i] = (byte) Character.forDigit((int) (suffix % 36), 36);
                suffix /= 36;
            }
            return latin1(name);
        }
    },
    /** Phone numbers in the form of E.164, 12 to 14 characters. */
    PHONES {
        @Override
        String key(long number) {
            long random = mix(number);
            int digits = 11 + (int) ((random >>> 33) % 3);
            byte[] phone = new byte[digits + 1];
            phone[0] = '+';
            // The last ten digits visit all ten thousand millions before they repeat.
            long rest = number * 387_420_489L % 10_000_000_000L;
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
    };

    abstract String key(long number);

    /** As many keys as {@code into} is long, numbered from {@code first} on. */
    void fill(String[] into, long first) {
        for (int i = 0; i < into.length; i++) {
            into[i] = key(first + i);
        }
    }

    /** The finalizer of SplitMix64. */
    static long mix(long number) {
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
