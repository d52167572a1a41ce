package io.github.untaken.memory;

/** How a value as it is stored, or about to be, differs from its key, the worst last. */
public enum Spelling {
    /** Not at all: the store finds it by its key. */
    KEY,
    /** Only in the case of letters from a to z: the store finds it by its key if its column folds that. */
    ASCII_CASE,
    /** Otherwise: nothing is known of whether the store finds it. */
    OTHER;

    public static Spelling of(String value, String key) {
        if (value.equals(key)) {
            return KEY;
        }
        if (value.length() != key.length()) {
            return OTHER;
        }
        for (int i = 0; i < value.length(); i++) {
            if (lower(value.charAt(i)) != lower(key.charAt(i))) {
                return OTHER;
            }
        }
        return ASCII_CASE;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
    }

    public Spelling worst(Spelling other) {
        return compareTo(other) < 0 ? other : this;
    }

    /** Whether the store may not find such a value by its key. */
    public boolean isOdd(boolean foldsAsciiCase) {
        return this == OTHER || this == ASCII_CASE && !foldsAsciiCase;
    }
}
