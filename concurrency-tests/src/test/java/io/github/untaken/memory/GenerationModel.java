package io.github.untaken.memory;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.text.Letters;

/**
 * A generation whose filter knows "alice" from a scan, and what threads do with her.
 *
 * <p>The property is in {@link #check}: once somebody has told of her, whatever was learnt before or meanwhile hides her from nobody.
 */
public final class GenerationModel {
    private static final String ALICE = "alice";

    private final Generation generation = new Generation(
            Letters.none(""),
            KeyHasher.random(),
            MembershipFilters.of(FilterType.CUCKOO, 16),
            new Generation.Limits(100, 100, 100));

    /** She was scanned. */
    public void aStaleEntry() {
        generation.add(ALICE);
        generation.scanned();
    }

    /** A read has not found her. */
    public void learn() {
        generation.learnAbsence(ALICE);
    }

    public void tell() {
        if (!generation.tell(ALICE)) {
            throw new IllegalStateException("no room");
        }
    }

    public void check() {
        if (generation.wasTold(ALICE) && !generation.mayHave(ALICE)) {
            throw new IllegalStateException("hidden");
        }
    }
}
