package io.github.untaken.kind;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The names of the simulation, as numbers: a value is a key's number times {@link #SPELLINGS} plus how it is spelt. Spelling 0 is the
 * key itself; up to 15, some of its four letters are capitals; from {@link #FULL_WIDTH} on, the first is a letter of full width, which
 * no store of the simulation takes for the same.
 */
final class SimulatedNames {
    static final int MOST = 300;
    static final int SPELLINGS = 24;
    static final int FULL_WIDTH = 16;

    /** What the registry is given: capitals and width do not matter. */
    static final IdentifierNormalizer NORMALIZER = new IdentifierNormalizer() {
        @Override
        public String key(String value) {
            return value.toLowerCase(Locale.ROOT).replace('\uff4e', 'n');
        }

        @Override
        public Optional<String> rejection(String text, String key) {
            return Optional.empty();
        }
    };

    private static final String[] TEXTS = new String[MOST * SPELLINGS];
    private static final Map<String, Integer> VALUES = new HashMap<>();

    static {
        for (int value = 0; value < TEXTS.length; value++) {
            int spelling = value % SPELLINGS;
            char[] letters = {'n', 'a', 'm', 'e'};
            for (int i = 0; i < letters.length; i++) {
                if ((spelling >> i & 1) != 0) {
                    letters[i] = Character.toUpperCase(letters[i]);
                }
            }
            if (spelling >= FULL_WIDTH) {
                letters[0] = '\uff4e';
                letters[3] = (spelling & 1) != 0 ? 'E' : 'e';
            }
            TEXTS[value] = new String(letters) + keyOf(value);
            VALUES.put(TEXTS[value], value);
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

    static int valueOf(String text) {
        return VALUES.get(text);
    }

    /** What the column holds equal to a value has one slot; where it does not fold, that is the value alone. */
    static int slot(int value, boolean folds) {
        return folds ? 2 * keyOf(value) + (isFullWidth(value) ? 1 : 0) : value;
    }

    static boolean isFullWidth(int value) {
        return value % SPELLINGS >= FULL_WIDTH;
    }
}
