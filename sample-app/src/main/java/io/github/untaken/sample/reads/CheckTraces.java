package io.github.untaken.sample.reads;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells what each single check cost the database, although its store read runs on a thread of the registry.
 *
 * <p>A check first asks the normalizer for the key, on its own thread: so {@link #noting} learns which key the check on this
 * thread is about. A store read names its key: {@link #counting} credits it to every open check of that key. A check waits
 * only for reads that begin after it asked, so one that was running before is rightly not credited; one that checks share is
 * credited to each of them; one that settles a registration of the very same name at the very same moment is, too. So the
 * figures are never too low. Thread-safe.
 */
public final class CheckTraces {
    /** The check on this thread, if one is traced. */
    private static final ThreadLocal<@Nullable Open> HERE = new ThreadLocal<>();

    private record Identifier(IdentifierKind kind, String key) {}

    private static final class Open {
        private final CheckTrace trace = new CheckTrace();
        private final Map<IdentifierKind, Identifier> asked = new HashMap<>();
    }

    private final Map<Identifier, List<CheckTrace>> waiting = new HashMap<>();

    /** Begins to trace what the calling thread checks, until {@link #end}. */
    CheckTrace begin() {
        Open open = new Open();
        HERE.set(open);
        return open.trace;
    }

    /** Forgets what the calling thread checked. */
    void end() {
        Open open = HERE.get();
        HERE.remove();
        if (open == null) {
            return;
        }
        synchronized (waiting) {
            for (Identifier identifier : open.asked.values()) {
                List<CheckTrace> traces = waiting.get(identifier);
                if (traces != null && traces.remove(open.trace) && traces.isEmpty()) {
                    waiting.remove(identifier);
                }
            }
        }
    }

    /** The same normalizer; of each kind the first key it is asked for by a traced check is the one that check is about. */
    public IdentifierNormalizer noting(IdentifierKind kind, IdentifierNormalizer normalizer) {
        return new IdentifierNormalizer() {
            @Override
            public String key(String value) {
                String key = normalizer.key(value);
                Open open = HERE.get();
                if (open != null) {
                    note(open, new Identifier(kind, key));
                }
                return key;
            }

            @Override
            public Optional<String> rejection(String text, String key) {
                return normalizer.rejection(text, key);
            }
        };
    }

    private void note(Open open, Identifier identifier) {
        if (open.asked.putIfAbsent(identifier.kind(), identifier) == null) {
            synchronized (waiting) {
                waiting.computeIfAbsent(identifier, key -> new ArrayList<>(1)).add(open.trace);
            }
        }
    }

    /** Runs a store read on the calling thread, and credits it to the open checks of this key. */
    boolean counting(IdentifierKind kind, String key, BooleanSupplier storeRead) {
        List<CheckTrace> traces;
        synchronized (waiting) {
            traces = List.copyOf(waiting.getOrDefault(new Identifier(kind, key), List.of()));
        }
        return CheckTrace.counting(traces, storeRead);
    }
}
