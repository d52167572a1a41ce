package io.github.untaken.normalize;

/** The characters that people type for an apostrophe, of which each keyboard knows another. */
final class Apostrophes {
    private Apostrophes() {}

    /**
     * The same with {@code '} for each of them, or the argument itself. What is in NFKC stays so: none of them is joined to anything, or
     * changes places.
     */
    static String asOne(String text) {
        String one = text;
        for (int i = 0; i < text.length(); i++) {
            if (isAnother(text.charAt(i))) {
                one = one.replace(text.charAt(i), '\'');
            }
        }
        return one;
    }

    /** Than that of ASCII. */
    private static boolean isAnother(char c) {
        return c == 0x2019 // as typographers write it, and telephones
                || c == 0x02BC // the letter of Ukrainian
                || c == 0x05F3; // the Hebrew geresh
    }
}
