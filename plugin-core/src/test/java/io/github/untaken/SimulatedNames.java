package io.github.untaken;

import java.util.HashMap;
import java.util.Map;

/**
 * The names of the simulation, as numbers: a value is a key's number times {@link #SPELLINGS} plus which of its four letters
 * are capitals, so spelling 0 is the key itself.
 */
final class SimulatedNames {
    static final int MOST = 300;
    static final int SPELLINGS = 16;

    private static final String[] TEXTS = new String[MOST * SPELLINGS];
    private static final Map<String, Integer> KEYS = new HashMap<>();

    static {
        for (int value = 0; value < TEXTS.length; value++) {
            char[] letters = {'n', 'a', 'm', 'e'};
            for (int i = 0; i < letters.length; i++) {
                if ((value >> i & 1) != 0) {
                    letters[i] = Character.toUpperCase(letters[i]);
                }
            }
            TEXTS[value] = new String(letters) + keyOf(value);
        }
        for (int key = 0; key < MOST; key++) {
            KEYS.put(TEXTS[key * SPELLINGS], key);
        }
    }

    private SimulatedNames() {}

    static String text(int value) {
        return TEXTS[value];
    }

    static String keyText(int key) {
        return TEXTS[key * SPELLINGS];
    }

    static int keyOf(int value) {
        return value / SPELLINGS;
    }

    static int keyOf(String keyText) {
        return KEYS.get(keyText);
    }

    static boolean isKey(int value) {
        return value % SPELLINGS == 0;
    }
}
