package io.github.untaken;

import io.github.untaken.normalize.ReservedNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers checks of one kind: what the rules refuse is not looked up, everything else is the registry's. */
final class KindChecker {
    private final IdentifierKind kind;
    private final IdentifierRegistry registry;
    /** Replaced as a whole when the reserved names are. */
    private volatile Rules rules;

    KindChecker(Rules rules, IdentifierRegistry registry) {
        this.kind = rules.kind();
        this.rules = rules;
        this.registry = registry;
    }

    IdentifierRegistry registry() {
        return registry;
    }

    IdentifierKind kind() {
        return kind;
    }

    /** Writers come one at a time, or one could bring back what another has replaced. */
    synchronized void reserve(ReservedNames names) {
        rules = rules.withReserved(names);
    }

    Verdict check(String text) {
        return check(text, () -> true);
    }

    Verdict check(String text, BooleanSupplier mayRead) {
        Rules rules = this.rules;
        if (rules.acceptAsIs(text)) {
            return registry.counted(registry.check(text, mayRead));
        }
        String key = rules.key(text);
        Verdict refused = rules.refusal(text, key);
        return registry.counted(refused != null ? refused : asTyped(text, registry.check(key, mayRead)));
    }

    Verdict latest(String text) {
        return answer(text, registry::latest);
    }

    Verdict checkInMemory(String text) {
        return answer(text, registry::checkInMemory);
    }

    private Verdict answer(String text, Function<String, Verdict> known) {
        Rules rules = this.rules;
        if (rules.acceptAsIs(text)) {
            return registry.counted(known.apply(text));
        }
        String key = rules.key(text);
        Verdict refused = rules.refusal(text, key);
        return registry.counted(refused != null ? refused : asTyped(text, known.apply(key)));
    }

    private Verdict asTyped(String text, Verdict ofKey) {
        CompletableFuture<Boolean> read = registry.readAheadAsTyped(text, ofKey);
        return read == null ? ofKey : registry.fromStoreAsTyped(ofKey, read);
    }

    List<Verdict> checkAll(Collection<String> texts) {
        Rules rules = this.rules;
        int size = texts.size();
        @Nullable Verdict[] verdicts = new Verdict[size];
        List<Integer> asked = new ArrayList<>(size);
        List<String> open = new ArrayList<>(size);
        List<String> keys = new ArrayList<>(size);
        int index = 0;
        for (String text : texts) {
            String key = rules.key(text);
            verdicts[index] = rules.refusal(text, key);
            if (verdicts[index] == null) {
                asked.add(index);
                open.add(text);
                keys.add(key);
            }
            index++;
        }
        List<Verdict> answers = asTyped(open, lookUp(keys));
        for (int i = 0; i < answers.size(); i++) {
            verdicts[asked.get(i)] = answers.get(i);
        }
        List<Verdict> all = new ArrayList<>(size);
        for (Verdict verdict : verdicts) {
            if (verdict != null) {
                all.add(registry.counted(verdict));
            }
        }
        return all;
    }

    /** All reads are begun before the first is waited for, here too. */
    private List<Verdict> asTyped(List<String> texts, List<Verdict> ofKeys) {
        Map<Integer, CompletableFuture<Boolean>> reads = new LinkedHashMap<>();
        for (int i = 0; i < ofKeys.size(); i++) {
            CompletableFuture<Boolean> read = registry.readAheadAsTyped(texts.get(i), ofKeys.get(i));
            if (read != null) {
                reads.put(i, read);
            }
        }
        List<Verdict> answers = new ArrayList<>(ofKeys);
        reads.forEach((i, read) -> answers.set(i, registry.fromStoreAsTyped(ofKeys.get(i), read)));
        return answers;
    }

    /** All reads are begun before the first is waited for. */
    private List<Verdict> lookUp(List<String> keys) {
        @Nullable Verdict[] known = new Verdict[keys.size()];
        registry.allFromMemory(keys.toArray(String[]::new), known);
        Map<Integer, StoreAnswers.Question> reads = new LinkedHashMap<>();
        for (int i = 0; i < known.length; i++) {
            if (known[i] == null) {
                reads.put(i, registry.readAhead(keys.get(i)));
            }
        }
        reads.forEach((i, read) -> known[i] = registry.fromStore(read));
        List<Verdict> answers = new ArrayList<>(known.length);
        for (Verdict verdict : known) {
            if (verdict != null) {
                answers.add(verdict);
            }
        }
        return answers;
    }
}
