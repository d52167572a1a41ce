package io.github.untaken.normalize;

/** The characters that people type as an apostrophe, which differ between keyboards. */
final class Apostrophes {
    private Apostrophes() {}

    /**
     * The text with {@code '} in place of each of them, or the argument itself. A text in NFKC stays in NFKC: none of
     * them composes or is reordered.
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

    /** Other than the ASCII one. */
    private static boolean isAnother(char c) {
        return c == 0x2019 // typographic, and on phones
                || c == 0x02BC // the Ukrainian letter
                || c == 0x05F3; // the Hebrew geresh
    }
}
