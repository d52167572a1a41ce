package io.github.untaken.store;

import io.github.untaken.IdentifierKind;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fold of a kind: at least as coarse as the database compares, which is asked. If the database can sort texts
 * into those it holds equal, it draws up the table of letters itself; otherwise the key must serve. The fold is tested
 * before each scan. If the database holds two texts equal that the fold tells apart, and one may be typed, a row with
 * one would block the other, which would look free; so the kind may not answer from memory.
 *
 * <p>Normally used by one thread; by another if that one does not come back.
 */
public final class Equality {
    private static final FaultLog LOG = new FaultLog("io.github.untaken");
    /**
     * Keyed by what they were drawn up for: kinds, checkers and servers that compare alike share one, while memory
     * allows.
     */
    private static final Map<String, SoftReference<Letters>> DRAWN = new ConcurrentHashMap<>();

    private static final int FAMILIES = 6;
    /** Random pairs, beside those that are always tried. */
    private static final int PAIRS_OF_A_FAMILY = 20;

    private final IdentifierKind kind;
    private final IdentifierNormalizer normalizer;
    private final Fold byKey;
    private final RandomGenerator random;
    private final Likely likely;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final List<Carrier> carriers;
    private final boolean unforeseen;
    private final List<ValuePair> plain;
    private volatile @Nullable Letters known;
    private volatile @Nullable Undrawn undrawn;

    /** An attempt that failed, and would fail again. */
    private record Undrawn(String comparedBy, LetterDrawing.NotDrawn why) {}

    private record Carrier(String before, String after) {
        String carry(String text) {
            return before + text + after;
        }
    }

    private static final List<Carrier> CARRIERS = List.of(
            new Carrier("sam", "ple7"),
            new Carrier("sample", ""),
            new Carrier("sam", "ple@example.org"),
            new Carrier("sample@example.org", ""),
            new Carrier("+49151123456", ""),
            new Carrier("ab", ""),
            new Carrier("sample-of-rather-long-name", ""));

    /** Does not ask the database yet. */
    public Equality(IdentifierKind kind, IdentifierNormalizer normalizer, RandomGenerator random) {
        this.kind = kind;
        this.normalizer = normalizer;
        this.byKey = Fold.byKey(normalizer);
        this.random = random;
        this.likely = new Likely(random);
        List<Carrier> foreseen = CARRIERS.stream()
                .filter(carrier -> mayBeTyped(carrier.carry("")))
                .toList();
        this.unforeseen = foreseen.isEmpty();
        this.carriers = unforeseen ? List.of(new Carrier("", "")) : foreseen;
        this.plain = plainPairs(likely, carriers);
    }

    /**
     * What was found.
     *
     * @param fold the fold to use, if only for tellings meanwhile
     * @param objection why the kind may not answer from memory; empty if it may
     */
    public record Finding(Fold fold, Optional<String> objection) {}

    /** Supplies a table drawn up earlier, which is reused if nothing has changed. */
    public void know(Fold fold) {
        if (fold instanceof Letters letters) {
            known = letters;
        }
    }

    /**
     * Asks the stores that can compare. Takes a few seconds if a table has to be drawn up.
     *
     * @throws io.github.untaken.spi.StoreException if one of them cannot be asked now
     */
    public Finding look(Stores stores) {
        List<Comparing> comparing = stores.comparing();
        List<ColumnDescription> columns =
                comparing.stream().map(Comparing::describe).toList();
        columns.forEach(this::warnUnlessUnique);
        List<Grouping> grouping = comparing.stream()
                .filter(Grouping.class::isInstance)
                .map(Grouping.class::cast)
                .toList();
        if (grouping.isEmpty() || grouping.size() < stores.size()) {
            boolean exact = comparing.size() == stores.size()
                    && columns.stream().allMatch(column -> column.comparedBy().isEmpty());
            Fold fold = exact ? letters(List.of(), columns) : byKey;
            return new Finding(fold, mergedPair(comparing, columns, fold));
        }
        String where = columns.stream().map(Equality::said).distinct().collect(Collectors.joining(" and "));
        try {
            Letters letters = letters(grouping, columns);
            return new Finding(letters, mergedTexts(grouping, letters, where));
        } catch (LetterDrawing.NotDrawn e) {
            return new Finding(
                    byKey,
                    Optional.of("no table of letters describes what the database holds equal in " + where + ": "
                            + e.getMessage() + ". " + remedy()));
        }
    }

    private Letters letters(List<Grouping> stores, List<ColumnDescription> columns) {
        String drawnFor = columns.stream()
                .map(ColumnDescription::comparedBy)
                .distinct()
                .filter(comparedBy -> !comparedBy.isEmpty())
                .collect(Collectors.joining(" and "));
        Letters letters = known;
        if (letters == null || !letters.drawnFor().equals(drawnFor)) {
            letters = drawnFor.isEmpty() ? Letters.none(drawnFor) : drawn(oneOfEachWay(stores, columns), drawnFor);
            known = letters;
        }
        return letters;
    }

    /** One store for each way of comparing: half a million texts are asked, and shards of one table compare alike. */
    private static List<Grouping> oneOfEachWay(List<Grouping> stores, List<ColumnDescription> columns) {
        Map<String, Grouping> ways = new LinkedHashMap<>();
        for (int i = 0; i < stores.size(); i++) {
            ways.putIfAbsent(columns.get(i).comparedBy(), stores.get(i));
        }
        return List.copyOf(ways.values());
    }

    private Letters drawn(List<Grouping> stores, String drawnFor) {
        SoftReference<Letters> drawn = DRAWN.get(drawnFor);
        Letters letters = drawn == null ? null : drawn.get();
        if (letters != null) {
            return letters;
        }
        Undrawn before = undrawn;
        if (before != null && before.comparedBy().equals(drawnFor)) {
            throw before.why();
        }
        try {
            letters = new LetterDrawing(stores, random).draw(drawnFor);
            DRAWN.put(drawnFor, new SoftReference<>(letters));
            return letters;
        } catch (LetterDrawing.NotDrawn e) {
            undrawn = new Undrawn(drawnFor, e);
            throw e;
        }
    }

    private Optional<String> mergedTexts(List<Grouping> stores, Letters letters, String where) {
        Set<String> asked = new LinkedHashSet<>();
        for (int i = 0; i < FAMILIES; i++) {
            asked.addAll(likely.family());
        }
        for (String text : List.copyOf(asked)) {
            if (random.nextInt(8) == 0) {
                asked.add(carriers.get(random.nextInt(carriers.size())).carry(text));
            }
        }
        List<String> texts = List.copyOf(asked);
        return stores.stream()
                .flatMap(store -> store.heldEqualAmong(texts).stream())
                .map(places -> places.stream().map(texts::get).toList())
                .map(group -> toldApart(group, letters))
                .flatMap(Optional::stream)
                .findFirst()
                .map(pair -> explain(pair, where, "the table of letters drawn up from it tells them apart"));
    }

    /** For texts that are held equal; only a text that may be typed may be answered "available". */
    private Optional<ValuePair> toldApart(Collection<String> equal, Fold fold) {
        for (String text : equal) {
            Optional<String> other = equal.stream()
                    .filter(each -> !fold.of(each).equals(fold.of(text)))
                    .findFirst();
            if (other.isPresent() && mayStandInANewOne(text)) {
                return Optional.of(new ValuePair(text, other.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> mergedPair(List<Comparing> stores, List<ColumnDescription> columns, Fold fold) {
        if (stores.isEmpty()) {
            return Optional.empty();
        }
        List<ValuePair> pairs = pairs(fold);
        for (int i = 0; i < stores.size(); i++) {
            Iterator<Boolean> equal = stores.get(i).heldEqual(pairs).iterator();
            Optional<ValuePair> merged =
                    pairs.stream().filter(pair -> equal.next()).findFirst();
            if (merged.isPresent()) {
                return Optional.of(explain(
                        merged.get(),
                        said(columns.get(i)),
                        fold == byKey ? "their keys differ" : "it claims to tell them apart"));
            }
        }
        return Optional.empty();
    }

    /** Pairs that the fold tells apart, with one text that may be typed. */
    private List<ValuePair> pairs(Fold fold) {
        List<ValuePair> pairs = new ArrayList<>(plain);
        for (Carrier carrier : carriers) {
            List<String> family = List.copyOf(likely.family());
            for (int i = 0; i < PAIRS_OF_A_FAMILY; i++) {
                pairs.add(carried(
                        family.get(random.nextInt(family.size())), family.get(random.nextInt(family.size())), carrier));
            }
        }
        pairs.removeIf(pair -> fold.of(pair.left()).equals(fold.of(pair.right()))
                || !(unforeseen || mayBeTyped(pair.left()) || mayBeTyped(pair.right())));
        return pairs;
    }

    private static List<ValuePair> plainPairs(Likely likely, List<Carrier> carriers) {
        List<ValuePair> pairs = new ArrayList<>();
        for (Carrier carrier : carriers) {
            Likely.oftenNothing().forEach(nothing -> pairs.add(carried("", nothing, carrier)));
        }
        int i = 0;
        for (ValuePair pair : likely.plainPairs()) {
            pairs.add(carried(pair.left(), pair.right(), carriers.get(i++ % carriers.size())));
        }
        return pairs;
    }

    private static ValuePair carried(String left, String right, Carrier carrier) {
        return new ValuePair(carrier.carry(left), carrier.carry(right));
    }

    /** Within a name, an address or a number; if new values have another form, any text may. */
    private boolean mayStandInANewOne(String text) {
        return unforeseen || carriers.stream().anyMatch(carrier -> mayBeTyped(carrier.carry(text)));
    }

    private boolean mayBeTyped(String text) {
        return normalizer.rejection(text, normalizer.key(text)).isEmpty();
    }

    private static String said(ColumnDescription column) {
        return column.column() + (column.collation().isEmpty() ? "" : " (" + column.collation() + ")");
    }

    private String explain(ValuePair pair, String where, String why) {
        return "the database holds two texts equal in " + where + " (" + escaped(pair.left()) + ", "
                + escaped(pair.right()) + "), but " + why + ", so a taken name could look free. " + remedy();
    }

    private String remedy() {
        return "Store the key of kind " + kind
                + " in a column of its own with a binary collation and a unique constraint";
    }

    private void warnUnlessUnique(ColumnDescription column) {
        if (!column.unique() && warned.add(column.column())) {
            LOG.say(
                    System.Logger.Level.WARNING,
                    "There is no unique constraint on {0}, so two simultaneous registrations of one {1} can both"
                            + " succeed, whatever was checked before. Add one.",
                    column.column(),
                    kind);
        }
    }

    /** The texts are made up, so they may be shown; as code points, since many differences are invisible. */
    private static String escaped(String text) {
        return text.isEmpty()
                ? "nothing"
                : text.codePoints().mapToObj(c -> String.format("U+%04X", c)).collect(Collectors.joining(" "));
    }
}
