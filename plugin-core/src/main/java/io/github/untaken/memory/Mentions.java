package io.github.untaken.memory;

import io.github.untaken.text.Fold;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The exact texts that requests under way mention, and how many mention each. Any of them may be registered at any
 * moment, so the store answers for them. They go into neither filter nor told set, because strangers choose them.
 * Asking takes no lock.
 */
/*
 * Texts are found by their folds, under one fold for all. A mention made before there is a fold, or under another one,
 * counts for every text until it leaves. That happens around the first scan, and when the database starts to compare
 * differently.
 */
public final class Mentions {
    private final Map<String, Integer> mentioned = new ConcurrentHashMap<>();
    /** Raised before a text enters and lowered after it has left, so zero proves the set empty without hashing. */
    private volatile int size;
    /** How many of them count for every text. */
    private volatile int vague;

    private volatile @Nullable Fold fold;

    private final int most;

    public Mentions(int most) {
        this.most = most;
    }

    /** One mention, to be given back. */
    public static final class Mention {
        private final @Nullable String folded;

        private Mention(@Nullable String folded) {
            this.folded = folded;
        }
    }

    /** Whether a text is mentioned that the database may hold equal to this one. */
    public boolean has(String text) {
        if (size == 0) {
            return false;
        }
        Fold by = fold;
        return vague != 0 || by == null || mentioned.containsKey(by.of(text));
    }

    /**
     * Enters a text. Null, and no change, if too many are mentioned.
     *
     * @param by the fold of the serving generation; null if none serves
     */
    public synchronized @Nullable Mention enter(String text, @Nullable Fold by) {
        if (size == most) {
            return null;
        }
        if (size == 0) {
            fold = by;
        }
        Mention mention = new Mention(by == null || by != fold ? null : by.of(text));
        size++;
        if (mention.folded == null) {
            vague++;
        } else {
            mentioned.merge(mention.folded, 1, Integer::sum);
        }
        return mention;
    }

    /** One mention ends. */
    public synchronized void leave(Mention mention) {
        if (mention.folded == null) {
            vague--;
        } else {
            mentioned.computeIfPresent(mention.folded, (same, times) -> times == 1 ? null : times - 1);
        }
        size--;
    }

    public int size() {
        return size;
    }
}
