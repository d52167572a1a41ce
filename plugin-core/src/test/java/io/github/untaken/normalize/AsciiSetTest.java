package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Seed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AsciiSetTest {
    private static final long SEED = Seed.of(AsciiSetTest.class, 0x5EED_A5C1L);

    /** What could pass for a member if a lane were cut, carried over or signed. */
    private static final String STRANGE =
            "\u0000\u007f\u0080\u00e1\u00ff\u0130\u0131\u0161\u0301\u6161\u8061\uff41\uff10\ud800\udc00\uffff\u0307\u0345";

    @Test
    void tellsATextAsOneCharacterAfterTheOtherDoes() {
        SplittableRandom random = new SplittableRandom(SEED);
        int members = 0;
        for (int sets = 0; sets < 1_000; sets++) {
            BitSet bits = some(random);
            AsciiSet set = AsciiSet.of(bits::get);
            String alphabet = alphabet(bits);
            for (int n = 0; n < 1_000; n++) {
                String text = text(alphabet, random);
                boolean all = containsEach(bits, text);
                members += all ? 1 : 0;
                if (set.containsAll(text) != all) {
                    throw new AssertionError("seed " + SEED + ": " + bits + ", "
                            + text.chars().boxed().toList());
                }
            }
        }
        assertThat(members).isBetween(250_000, 900_000);
    }

    @Test
    void tellsEachCharacterAtEachPlaceOfEachLength() {
        for (AsciiSet set : List.of(
                AsciiSet.of(UsernameCharacters::allowed),
                AsciiSet.of(c -> c < 'A' || c > 'Z'),
                AsciiSet.of(c -> true))) {
            for (int length = 1; length <= 40; length++) {
                for (int place = 0; place < length; place++) {
                    StringBuilder text = new StringBuilder("a".repeat(length));
                    for (int c = 0; c <= Character.MAX_VALUE; c += c < 0x200 ? 1 : 0x1ff) {
                        text.setCharAt(place, (char) c);
                        if (set.containsAll(text.toString()) != set.contains(c)) {
                            throw new AssertionError(c + " at " + place + " of " + length);
                        }
                    }
                }
            }
        }
    }

    private static boolean containsEach(BitSet bits, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80 || !bits.get(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** From none to all; a few ranges, as policies have, or many. */
    private static BitSet some(SplittableRandom random) {
        BitSet bits = new BitSet();
        for (int ranges = random.nextInt(8); ranges > 0; ranges--) {
            int from = random.nextInt(0x80);
            bits.set(from, 1 + from + random.nextInt(0x80 - from));
            int without = random.nextInt(0x80);
            bits.clear(without, without + random.nextInt(1 + (0x80 - without) / 2));
        }
        return bits;
    }

    private static String alphabet(BitSet bits) {
        List<Integer> members = new ArrayList<>(bits.stream().boxed().toList());
        StringBuilder alphabet = new StringBuilder();
        members.forEach(alphabet::appendCodePoint);
        return alphabet.toString();
    }

    /** Mostly of members alone; a stranger is any character, or next to a member. */
    private static String text(String alphabet, SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(42); left > 0 && !alphabet.isEmpty(); left--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        if (random.nextInt(2) == 0) {
            char member = text.isEmpty() ? 'a' : text.charAt(random.nextInt(text.length()));
            char stranger = (char)
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x80);
                        case 1 -> member + (1 << random.nextInt(16));
                        case 2 -> random.nextInt(0x10000);
                        default -> STRANGE.charAt(random.nextInt(STRANGE.length()));
                    };
            text.insert(random.nextInt(text.length() + 1), stranger);
        }
        return text.toString();
    }
}
