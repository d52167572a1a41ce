package io.github.untaken.store;

import io.github.untaken.IdentifierKind;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Folding;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the database holds two values equal whose keys differ. Then a row under the one spelling blocks the
 * other, which would look free, so such a kind may not answer from memory.
 *
 * <p>The database itself compares: no table of collations is as right as the collation. A probe can only show a
 * difference, never its absence, so the pairs are those in which collations are known to differ: case, accents, width,
 * padding, what is ignored altogether, expansions, composition, letters without a weight.
 *
 * <p>A pair counts only if the normalizer accepts one side of it as a typed text: what nobody may type cannot be answered
 * "available". Each difference is therefore tried in a word, an e-mail address and a phone number; in short ones too, for a column may
 * have no room for others, and in a long one, for an index may look at the beginning alone.
 *
 * <p>Used by the rebuild thread alone.
 */
public final class EqualityProbe {
    private static final FaultLog LOG = new FaultLog("io.github.untaken");

    /** What differs, and the two texts that differ in it. */
    private record Difference(String name, String left, String right) {}

    private record Carrier(String before, String after) {
        ValuePair carry(Difference difference) {
            return new ValuePair(before + difference.left + after, before + difference.right + after);
        }
    }

    private record Probe(Difference difference, ValuePair values) {}

    private static final List<Carrier> CARRIERS = List.of(
            new Carrier("sam", "ple7"),
            new Carrier("sample", ""),
            new Carrier("sam", "ple@example.org"),
            new Carrier("sample@example.org", ""),
            new Carrier("+49151123456", ""),
            new Carrier("", "sample"),
            new Carrier("", ""),
            new Carrier("ab", ""),
            new Carrier("abc", ""),
            new Carrier("123456", ""),
            new Carrier("sample-of-rather-long-name", ""));

    private static final List<Difference> DIFFERENCES = List.of(
            // case
            new Difference("case of a Latin letter", "k", "K"),
            new Difference("case of a Latin letter with an accent", "\u00e4", "\u00c4"),
            new Difference("case of a Greek letter", "\u03bb", "\u039b"),
            new Difference("case of a Cyrillic letter", "\u0436", "\u0416"),
            new Difference("case of an Armenian letter", "\u0561", "\u0531"),
            new Difference("case of a Georgian letter", "\u10d0", "\u1c90"),
            new Difference("case of a Cherokee letter", "\uab70", "\u13a0"),
            new Difference("case of a Deseret letter", "\ud801\udc28", "\ud801\udc00"),
            new Difference("i and the dotless i", "i", "\u0131"),
            new Difference("i and the capital I with a dot", "i", "\u0130"),
            new Difference("the two small sigmas", "\u03c3", "\u03c2"),
            new Difference("s and the long s", "s", "\u017f"),
            new Difference("the sharp s and its capital", "\u00df", "\u1e9e"),
            new Difference("k and the Kelvin sign", "k", "\u212a"),
            new Difference("omega and the Ohm sign", "\u03c9", "\u2126"),
            new Difference("mu and the micro sign", "\u03bc", "\u00b5"),
            // accents
            new Difference("an acute accent", "e", "\u00e9"),
            new Difference("a diaeresis", "u", "\u00fc"),
            new Difference("a tilde", "n", "\u00f1"),
            new Difference("a cedilla", "c", "\u00e7"),
            new Difference("a ring", "a", "\u00e5"),
            new Difference("a stroke through a letter", "o", "\u00f8"),
            new Difference("a barred letter", "l", "\u0142"),
            new Difference("two accents on one letter", "a", "\u1ea5"),
            new Difference("a Greek tonos", "\u03b1", "\u03ac"),
            new Difference("the Cyrillic short i", "\u0438", "\u0439"),
            new Difference("the Cyrillic io", "\u0435", "\u0451"),
            new Difference("a kana voicing mark", "\u304b", "\u304c"),
            new Difference("Hebrew points", "\u05d1", "\u05d1\u05bc"),
            new Difference("Arabic vowel marks", "\u0628", "\u0628\u064e"),
            // composition
            new Difference("a composed and a combining accent", "\u00e9", "e\u0301"),
            new Difference("the order of two combining marks", "q\u0307\u0323", "q\u0323\u0307"),
            new Difference("a Hangul syllable and its letters", "\uac00", "\u1100\u1161"),
            new Difference("a compatibility ideograph", "\u8c48", "\uf900"),
            // width and other variants
            new Difference("a full-width letter", "a", "\uff41"),
            new Difference("a full-width digit", "1", "\uff11"),
            new Difference("a half-width kana", "\u30a2", "\uff71"),
            new Difference("hiragana and katakana", "\u3042", "\u30a2"),
            new Difference("a small kana", "\u3042", "\u3041"),
            new Difference("a superscript digit", "2", "\u00b2"),
            new Difference("an Arabic-Indic digit", "1", "\u0661"),
            new Difference("a circled digit", "1", "\u2460"),
            new Difference("a roman numeral sign", "v", "\u2174"),
            new Difference("a mathematical letter", "a", "\ud835\udc1a"),
            // expansions
            new Difference("the sharp s and ss", "ss", "\u00df"),
            new Difference("ae and its ligature", "ae", "\u00e6"),
            new Difference("oe and its ligature", "oe", "\u0153"),
            new Difference("a-umlaut and ae", "ae", "\u00e4"),
            new Difference("thorn and th", "th", "\u00fe"),
            new Difference("the ligature fi", "fi", "\ufb01"),
            new Difference("the letter lj in one sign", "lj", "\u01c9"),
            // what a collation may ignore or pad
            new Difference("a space at the end", "", " "),
            new Difference("one space and two", " ", "  "),
            new Difference("a no-break space", " ", "\u00a0"),
            new Difference("a tab", "", "\t"),
            new Difference("a line feed at the end", "", "\n"),
            new Difference("a hyphen", "", "-"),
            new Difference("a hyphen and an underscore", "-", "_"),
            new Difference("a full stop", "", "."),
            new Difference("an apostrophe", "", "'"),
            new Difference("a soft hyphen", "", "\u00ad"),
            new Difference("a zero-width space", "", "\u200b"),
            new Difference("a zero-width joiner", "", "\u200d"),
            new Difference("a byte-order mark", "", "\ufeff"),
            new Difference("a control character", "", "\u0001"),
            new Difference("a variation selector", "", "\ufe0f"),
            // letters a collation may know no weight for
            new Difference("two emoji", "\ud83d\ude00", "\ud83d\ude01"),
            new Difference("an emoji and nothing", "", "\ud83d\ude00"),
            new Difference("two rare ideographs", "\ud840\udc00", "\ud840\udc01"),
            new Difference("two Gothic letters", "\ud800\udf30", "\ud800\udf31"),
            // numbers
            new Difference("a leading zero", "7", "07"),
            // what looks alike
            new Difference("o and zero", "o", "0"),
            new Difference("l and one", "l", "1"),
            new Difference("i and one", "i", "1"),
            new Difference("i and l", "i", "l"),
            new Difference("e and three", "e", "3"),
            new Difference("a and four", "a", "4"),
            new Difference("s and five", "s", "5"),
            new Difference("t and seven", "t", "7"),
            new Difference("b and eight", "b", "8"),
            new Difference("m and rn", "m", "rn"),
            new Difference("w and vv", "w", "vv"));

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final @Nullable Alphabet alphabet;
    private final List<Probe> probes;
    private final boolean unforeseen;
    private final Set<String> warned = new HashSet<>();
    private final Set<ColumnDescription> proved = new HashSet<>();

    /**
     * Asks nobody yet.
     *
     * @param alphabet of new names, if a store can follow what the database holds equal to them
     */
    public EqualityProbe(IdentifierKind kind, IdentifierNormalizer normalizer, @Nullable Alphabet alphabet) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.alphabet = alphabet;
        this.probes = probes(normalizer);
        this.unforeseen =
                CARRIERS.stream().noneMatch(carrier -> mayBeTyped(normalizer, carrier.before + carrier.after));
    }

    private static List<Probe> probes(IdentifierNormalizer normalizer) {
        List<Probe> apart = new ArrayList<>();
        for (Carrier carrier : CARRIERS) {
            for (Difference difference : DIFFERENCES) {
                ValuePair values = carrier.carry(difference);
                if (!normalizer.key(values.left()).equals(normalizer.key(values.right()))) {
                    apart.add(new Probe(difference, values));
                }
            }
        }
        List<Probe> typed = apart.stream()
                .filter(probe ->
                        mayBeTyped(normalizer, probe.values.left()) || mayBeTyped(normalizer, probe.values.right()))
                .toList();
        // A kind of a form not foreseen here is asked all there is.
        return typed.isEmpty() ? List.copyOf(apart) : typed;
    }

    private static boolean mayBeTyped(IdentifierNormalizer normalizer, String text) {
        return normalizer.rejection(text, normalizer.key(text)).isEmpty();
    }

    /**
     * Why this kind may not answer from memory; empty if nothing speaks against it. Reads the stores that can compare.
     *
     * @param answered called once all is answered and before anything follows of it; throws if nothing may
     * @throws io.github.untaken.spi.StoreException if one of them cannot be asked now
     */
    public Optional<String> objection(Stores stores, Runnable answered) {
        Optional<String> objection = stores.comparing().stream()
                .map(this::objection)
                .flatMap(Optional::stream)
                .findFirst();
        Set<Integer> variants = alphabet == null || objection.isPresent() ? Set.of() : variantsInAll(stores, alphabet);
        answered.run();
        if (alphabet != null) {
            alphabet.takeVariants(variants);
        }
        return objection;
    }

    private Optional<String> objection(Comparing store) {
        ColumnDescription column = store.describe();
        warnUnlessUnique(column);
        return alphabet != null && store instanceof Folding folding
                ? objection(folding, column, alphabet)
                : firstHeldEqual(store, probes)
                        .map(merged -> explain(column, merged, store instanceof Folding))
                        .or(() -> mergedLetters(store, column));
    }

    /** A value is written to one of them, and nobody says to which. */
    private Set<Integer> variantsInAll(Stores stores, Alphabet of) {
        return stores.comparing().stream()
                .filter(Folding.class::isInstance)
                .map(store -> of.variantsIn((Folding) store, normalizer))
                .reduce((some, others) -> {
                    some.retainAll(others);
                    return some;
                })
                .orElse(Set.of());
    }

    /** Proved over all names of the alphabet; what is stored beside them is looked up by the scan, value by value. */
    private Optional<String> objection(Folding store, ColumnDescription column, Alphabet into) {
        Optional<String> why = store.foldInto(into.characters());
        if (why.isEmpty()) {
            Optional<Probe> merged = firstHeldEqual(
                    store,
                    probes.stream().filter(probe -> staysInside(probe, into)).toList());
            if (merged.isPresent()) {
                return merged.map(probe -> explain(column, probe, false));
            }
        }
        return why.map(reason -> "in " + column.column() + " (" + column.collation() + ") " + reason
                + ", so a taken name could look free. Store the key in a column of its own with a binary collation and a"
                + " unique constraint, or let new names of kind " + kind + " do without");
    }

    /** Whether no scan would tell of the difference: capitals that the keys tell from small letters, or a blank at the end of new names. */
    private boolean staysInside(Probe probe, Alphabet letters) {
        String left = probe.values.left();
        String right = probe.values.right();
        return letters.holds(left) && letters.holds(right)
                || mayBeTyped(normalizer, left) && mayBeTyped(normalizer, right);
    }

    /** Only where more than case is merged, and once for each collation: it takes about a second. */
    private Optional<String> mergedLetters(Comparing store, ColumnDescription column) {
        if (proved.contains(column) || !mergesMoreThanCase(store)) {
            return Optional.empty();
        }
        if (!(store instanceof Grouping grouping)) {
            return Optional.of(
                    "the database holds more values equal in " + column.column()
                            + (column.collation().isEmpty() ? "" : " (" + column.collation() + ")")
                            + " than differ in case, and nobody can ask it of every letter whether the keys of kind "
                            + kind
                            + " are as coarse: store the key in a column of its own with a binary collation and a unique constraint");
        }
        Optional<String> objection = new LetterProof(normalizer, this::mayStandInANewName)
                .firstMerged(grouping)
                .map(merged -> explain(column, "", merged.typed(), merged.other()));
        if (objection.isEmpty()) {
            proved.add(column);
        }
        return objection;
    }

    /** Of what the keys hold equal too: of all else it was asked before. */
    private boolean mergesMoreThanCase(Comparing store) {
        List<ValuePair> pairs = DIFFERENCES.stream()
                .filter(difference -> !compatible(difference.left).equalsIgnoreCase(compatible(difference.right)))
                .map(difference -> new ValuePair(difference.left, difference.right))
                .filter(pair -> normalizer.key(pair.left()).equals(normalizer.key(pair.right())))
                .toList();
        return !pairs.isEmpty() && store.heldEqual(pairs).contains(true);
    }

    private static String compatible(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    /** Where new names are of a form not foreseen here, anything may. */
    private boolean mayStandInANewName(String text) {
        return unforeseen
                || CARRIERS.stream().anyMatch(carrier -> mayBeTyped(normalizer, carrier.before + text + carrier.after));
    }

    private static Optional<Probe> firstHeldEqual(Comparing store, List<Probe> asked) {
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        List<Boolean> equal = store.heldEqual(asked.stream().map(Probe::values).toList());
        for (int i = 0; i < asked.size(); i++) {
            if (equal.get(i)) {
                return Optional.of(asked.get(i));
            }
        }
        return Optional.empty();
    }

    private String explain(ColumnDescription column, Probe probe, boolean mayFold) {
        return explain(column, " that differ in " + probe.difference.name, probe.values.left(), probe.values.right())
                + (mayFold ? ", or one that lets new names consist of ASCII characters alone" + whatDoesSo() : "");
    }

    /** Nothing where it would bring the rules of names to addresses, or those to anything else. */
    private String whatDoesSo() {
        boolean addresses = kind.equals(IdentifierKind.EMAIL);
        if (addresses == mayBeTyped(normalizer, "sample7")
                || addresses != mayBeTyped(normalizer, "sample7@example.org")) {
            return "";
        }
        return " (untaken.policy." + kind + ".characters=ascii, in code "
                + (addresses ? "EmailNormalizer.ascii()" : "UsernameNormalizer.builder().ascii()") + ")";
    }

    private String explain(ColumnDescription column, String how, String left, String right) {
        return "the database holds two values equal in " + column.column()
                + (column.collation().isEmpty() ? "" : " (" + column.collation() + ")")
                + how + " (" + escaped(left) + ", "
                + escaped(right)
                + "), but their keys differ, so a taken name could look free. Store the key"
                + " in a column of its own with a binary collation and a unique constraint, or give kind " + kind
                + " a normalizer that is as coarse";
    }

    private void warnUnlessUnique(ColumnDescription column) {
        if (!column.unique() && warned.add(column.column())) {
            LOG.say(
                    System.Logger.Level.WARNING,
                    "There is no unique constraint on {0}: two registrations of one {1} at the same moment can both succeed,"
                            + " whatever is checked before. Add one.",
                    column.column(),
                    kind);
        }
    }

    /** Made-up values, so they may be shown; in ASCII, for much of what differs cannot be seen. */
    private static String escaped(String value) {
        StringBuilder text = new StringBuilder("'");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 127) {
                text.append(c);
            } else {
                text.append(String.format("\\u%04x", (int) c));
            }
        }
        return text.append('\'').toString();
    }
}
