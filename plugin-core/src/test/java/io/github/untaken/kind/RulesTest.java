package io.github.untaken.kind;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Seed;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is accepted at a glance, beside the long way by key, rejection and reserved names. */
class RulesTest {
    private static final long SEED = Seed.of(RulesTest.class, 0x5EED_0028L);
    private static final int LONGEST = 80;
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9._-]+");

    /** What texts are made of: one of these alone, or with a few characters of another. */
    private static final List<String> ALPHABETS = List.of(
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "abcdefghijklmnopqrstuvwxyz0123456789._-",
            "adminrotsuple0134._-",
            "ABCdef @+\u0000\u007f",
            "'",
            "\u0080\u00b5\u00df\u00e4\u00ea\u00ff",
            "\u0130\u0131\u017f\u03c2\u0430\u0431\u0301\u3042\u4e2d\uff41\uff10\ud800\udc00\uffff\u6161\u8061");

    private static final Rules WITH_APOSTROPHES =
            rules(UsernameNormalizer.builder().apostrophes(true).build());

    private static final List<Rules> NAMES = List.of(
            WITH_APOSTROPHES,
            rules(UsernameNormalizer.defaults()),
            rules(UsernameNormalizer.builder().ascii().build()),
            rules(UsernameNormalizer.builder()
                    .length(1, 80)
                    .characters(c -> true)
                    .build()));

    private static Rules rules(UsernameNormalizer normalizer) {
        return Rules.of(IdentifierKind.USERNAME, normalizer, ReservedNames.defaults());
    }

    @Test
    void theShortWayAcceptsWhatTheLongWayDoes() {
        compare(100_000);
    }

    @Test
    @Tag("ci")
    void theShortWayAcceptsWhatTheLongWayDoesAmongThreeMillion() {
        compare(3_000_000);
    }

    /**
     * Of ASCII texts the short way accepts all that are free to be registered as they are; of others none, nor what is so because of the
     * letters around it.
     */
    private static void compare(int texts) {
        SplittableRandom random = new SplittableRandom(SEED);
        int accepted = 0;
        int refused = 0;
        int looksAround = 0;
        for (int n = 0; n < texts; n++) {
            String text = text(random);
            Rules rules = NAMES.get(n % NAMES.size());
            boolean same = rules.key(text).equals(text) && rules.refusal(text, text) == null;
            boolean ascii = text.chars().allMatch(c -> c < 0x80);
            boolean looked = rules == WITH_APOSTROPHES && text.indexOf('\'') >= 0;
            looksAround += same && looked ? 1 : 0;
            boolean asIs = rules.acceptAsIs(text);
            boolean notPlain = rules.plain() && asIs && !PLAIN.matcher(text).matches();
            if (notPlain || asIs != (same && ascii && !looked)) {
                throw new AssertionError("seed " + SEED + ", text " + n + ", rules " + n % NAMES.size() + ": "
                        + text.chars().boxed().toList());
            }
            accepted += same && ascii ? 1 : 0;
            refused += same ? 0 : 1;
        }
        assertThat(accepted).isGreaterThan(texts / 10);
        assertThat(refused).isGreaterThan(texts / 10);
        assertThat(looksAround).isGreaterThan(texts / 1000);
    }

    /** Half of them as long as a name may be. */
    private static String text(SplittableRandom random) {
        String usual = ALPHABETS.get(random.nextInt(3));
        String other = ALPHABETS.get(random.nextInt(ALPHABETS.size()));
        int strangers = random.nextInt(4); // of a hundred characters
        int length = random.nextInt(random.nextBoolean() ? 34 : LONGEST + 1);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            String alphabet = random.nextInt(100) < strangers * strangers ? other : usual;
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
