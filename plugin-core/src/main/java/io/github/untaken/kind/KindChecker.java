package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.normalize.ReservedNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers checks of one kind: what the rules refuse is not looked up; everything else goes to the registry. */
public final class KindChecker {
    private final IdentifierKind kind;
    private final RegisteredKind registered;
    private final IdentifierRegistry registry;
    /** Replaced as a whole with the reserved names. */
    private volatile Rules rules;

    public KindChecker(Rules rules, RegisteredKind registered) {
        this.kind = rules.kind();
        this.rules = rules;
        this.registered = registered;
        this.registry = registered.registry();
    }

    public RegisteredKind registered() {
        return registered;
    }

    IdentifierKind kind() {
        return kind;
    }

    /** Synchronized, so that no caller brings back what another has replaced. */
    public synchronized void reserve(ReservedNames names) {
        rules = rules.withReserved(names);
    }

    /** The reserved key that a text is or looks like. */
    public Optional<String> reservedLike(String text) {
        Rules rules = this.rules;
        return rules.reserved().like(rules.key(text));
    }

    public Verdict check(String text) {
        return check(text, () -> true);
    }

    public Verdict check(String text, BooleanSupplier mayRead) {
        return check(text, mayRead, null);
    }

    /**
     * The verdict on one text.
     *
     * @param holder the name that the text may look like; null for none
     */
    public Verdict check(String text, BooleanSupplier mayRead, @Nullable String holder) {
        Rules rules = this.rules;
        String excepted = holder == null ? null : rules.key(holder);
        boolean asIs = rules.acceptAsIs(text);
        String key = asIs ? text : rules.key(text);
        Verdict refused = asIs ? null : rules.refusal(text, key);
        boolean plain = asIs && rules.plain();
        return registry.counted(refused != null ? refused : registry.check(text, key, plain, mayRead, excepted));
    }

    public Verdict latest(String text) {
        return answer(text, registry::latest);
    }

    public Verdict checkInMemory(String text) {
        return answer(text, registry::checkInMemory);
    }

    /** @param known called with the text and its key */
    private Verdict answer(String text, BiFunction<String, String, Verdict> known) {
        Rules rules = this.rules;
        boolean asIs = rules.acceptAsIs(text);
        String key = asIs ? text : rules.key(text);
        Verdict refused = asIs ? null : rules.refusal(text, key);
        return registry.counted(refused != null ? refused : known.apply(text, key));
    }

    public List<Verdict> checkAll(Collection<String> texts) {
        Rules rules = this.rules;
        @Nullable Verdict[] verdicts = new Verdict[texts.size()];
        List<Integer> asked = new ArrayList<>(verdicts.length);
        List<String> open = new ArrayList<>(verdicts.length);
        List<String> keys = new ArrayList<>(verdicts.length);
        int index = 0;
        for (String text : texts) {
            boolean asIs = rules.acceptAsIs(text);
            String key = asIs ? text : rules.key(text);
            verdicts[index] = asIs ? null : rules.refusal(text, key);
            if (verdicts[index] == null) {
                asked.add(index);
                open.add(text);
                keys.add(key);
            }
            index++;
        }
        List<Verdict> answers = lookUp(open, keys);
        for (int i = 0; i < answers.size(); i++) {
            verdicts[asked.get(i)] = answers.get(i);
        }
        return Stream.of(verdicts)
                .filter(Objects::nonNull)
                .map(registry::counted)
                .toList();
    }

    /** Starts all reads before waiting for the first. */
    private List<Verdict> lookUp(List<String> texts, List<String> keys) {
        @Nullable Verdict[] known = new Verdict[keys.size()];
        registry.allFromMemory(texts, keys.toArray(String[]::new), known);
        Map<Integer, StoreAnswers.Question> reads = new HashMap<>();
        for (int i = 0; i < known.length; i++) {
            if (known[i] == null) {
                reads.put(i, registry.readAhead(texts.get(i), keys.get(i)));
            }
        }
        List<Verdict> answers = new ArrayList<>(known.length);
        for (int i = 0; i < known.length; i++) {
            Verdict verdict = known[i];
            answers.add(verdict != null ? verdict : registry.fromStore(Objects.requireNonNull(reads.get(i)), null));
        }
        return answers;
    }
}
