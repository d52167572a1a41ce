package io.github.untaken.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Texts proved absent from the store although the membership filter says maybe. They are found by the fold that they
 * share with stored values: a column may hold "José" and not "jose". Only this part overrides a positive, so it is the
 * likeliest source of a false "available".
 *
 * <p>It belongs to one generation and ends with it. A fold that the generation was told of is not learnt. A learner
 * checks and enters in one step, under the map's lock for the entry; a teller tells first, then removes the entry under
 * the same lock. So either the learner sees that the fold was told, or the teller finds the entry.
 */
final class Whitelist {
    /** For one fold; the oldest is dropped. */
    private static final int MOST_TEXTS = 4;

    private final Cache<String, List<String>> absent;

    Whitelist(long maximumSize) {
        absent = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .executor(Runnable::run)
                .build();
    }

    boolean has(String text, String fold) {
        List<String> texts = absent.getIfPresent(fold);
        return texts != null && texts.contains(text);
    }

    /** @param wasTold whether the generation was told of the fold; asked under the entry's lock */
    void learn(String text, String fold, BooleanSupplier wasTold) {
        List<String> unused =
                absent.asMap().compute(fold, (same, texts) -> wasTold.getAsBoolean() ? null : with(text, texts));
    }

    private static List<String> with(String text, @Nullable List<String> texts) {
        if (texts == null) {
            return List.of(text);
        }
        if (texts.contains(text)) {
            return texts;
        }
        List<String> more = new ArrayList<>(texts);
        more.add(text);
        return List.copyOf(more.size() > MOST_TEXTS ? more.subList(1, more.size()) : more);
    }

    void forget(String fold) {
        absent.asMap().remove(fold);
    }

    void clear() {
        absent.invalidateAll();
    }

    /** Number of folds; approximate. */
    long size() {
        return absent.estimatedSize();
    }
}
