package io.github.untaken.memory;

import io.github.untaken.text.Fold;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Texts that requests under way merely mention, exactly, and how many do: any of them may be registered at each moment, so the store
 * answers. They fill neither filter nor told set, since strangers choose them. Asking takes no lock.
 */
/*
 * They are found by their folds, under one fold for all. Whatever is mentioned while there is none yet, or under another one, counts for
 * every text until it has left: that happens around the first scan, and when the database begins to compare otherwise.
 */
public final class Mentions {
    private final Map<String, Integer> mentioned = new ConcurrentHashMap<>();
    /** Raised before a text is entered and lowered after it has left, so that zero proves the set empty without hashing. */
    private volatile int size;
    /** How many of them count for every text. */
    private volatile int vague;

    private volatile @Nullable Fold fold;

    private final int most;

    public Mentions(int most) {
        this.most = most;
    }

    /** One mention, for whoever takes it back. */
    public static final class Mention {
        private final @Nullable String folded;

        private Mention(@Nullable String folded) {
            this.folded = folded;
        }
    }

    /** Whether a text that the database may hold equal to this one is mentioned. */
    public boolean has(String text) {
        if (size == 0) {
            return false;
        }
        Fold by = fold;
        return vague != 0 || by == null || mentioned.containsKey(by.of(text));
    }

    /**
     * Null, and nothing is changed, if too many are mentioned.
     *
     * @param by the fold of what serves; null if nothing does
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

    /** One of those who mention it does so no more. */
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
