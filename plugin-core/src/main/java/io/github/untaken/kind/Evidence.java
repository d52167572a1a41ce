package io.github.untaken.kind;

import io.github.untaken.log.FollowedLog;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.View;
import io.github.untaken.store.Recheck.Judge;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a store read proves about a text. The serving generation is taken before the read begins. A row that the read
 * does not see was written after that generation was born, so the generation was told of it, unless it was unreported.
 * So an absence may be remembered there if the text was not told; and if a row is found that the generation still does
 * not know, it was missed. A row that does not count is there: what makes it count need not be reported, so only
 * absence is remembered.
 */
final class Evidence {
    private static final CompletableFuture<Boolean> NO_MISS = CompletableFuture.completedFuture(false);

    private final Generations generations;
    private final Mentions mentions;
    private final Runnable missProved;
    private final @Nullable FollowedLog log;

    /**
     * @param missProved called after a committed text was found missing from memory, and added
     * @param log null if none is followed
     */
    Evidence(Generations generations, Mentions mentions, Runnable missProved, @Nullable FollowedLog log) {
        this.generations = generations;
        this.mentions = mentions;
        this.missProved = missProved;
        this.log = log;
    }

    /** Called before each store read. */
    Judge judge(String text) {
        View before = generations.view();
        Generation serving = before.serving();
        if (!before.ready() || serving == null) {
            return found -> {};
        }
        return found -> {
            if (found.held()) {
                CompletableFuture<Boolean> unused = lookForMiss(text, serving);
            } else {
                serving.learnAbsence(text);
            }
        };
    }

    /**
     * Called after a read found the text. It is a miss if the generation that served all the while does not know it by
     * now, or holds it absent, although writers tell memory first. Any read is slightly ahead of the log; so if one is
     * followed, it is a miss only if the text is still untold when a question asked after the read is answered.
     */
    private CompletableFuture<Boolean> lookForMiss(String text, Generation serving) {
        // In this order: a mentioned text is told before it leaves the mentioned.
        if (mentions.has(text) || serving.mayHave(text) || !generations.serves(serving)) {
            return NO_MISS;
        }
        serving.found(text);
        if (log == null) {
            missProved.run();
            return CompletableFuture.completedFuture(true);
        }
        return log.latest().handle((caughtUp, failure) -> {
            boolean untold = failure == null && !serving.wasTold(text) && generations.serves(serving);
            if (untold) {
                missProved.run();
            }
            return untold;
        });
    }

    /** Whether memory, if trusted, has no trace of the text. */
    boolean unknownToMemory(String text) {
        View seen = generations.view();
        Generation serving = seen.serving();
        return seen.ready() && serving != null && !serving.mayHave(text);
    }

    /**
     * Whether the store has the text while memory, asked afterwards, does not. The text is then added, as for any
     * proven miss.
     */
    CompletableFuture<Boolean> provesMiss(String text, Predicate<String> store) {
        View before = generations.view();
        Generation serving = before.serving();
        return before.ready() && serving != null && store.test(text) ? lookForMiss(text, serving) : NO_MISS;
    }

    /** Whether the membership filter alone says maybe. */
    boolean suspectedByFilter(String text) {
        Generation serving = generations.view().serving();
        return serving != null && serving.mightContain(text);
    }
}
