package io.github.untaken.sample.experiment;

import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;

/**
 * How a site without a membership filter answers: the same rules, then a store read each time. It reads through the stores
 * the checker uses, but on the calling thread; what it saves by that makes it look better, not worse.
 */
public final class DatabaseCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final IdentifierNormalizer normalizer;
    private final ReservedNames reserved;
    private final List<RegisteredIdentifierStore> stores;
    private final CheckReads reads;

    /**
     * @param normalizer the one the checker was given
     * @param reserved the names the checker was given
     * @param reads what its store reads are counted by
     */
    public DatabaseCheck(
            IdentifierNormalizer normalizer,
            ReservedNames reserved,
            List<RegisteredIdentifierStore> stores,
            CheckReads reads) {
        this.normalizer = normalizer;
        this.reserved = reserved.folded(normalizer);
        this.stores = List.copyOf(stores);
        this.reads = reads;
    }

    /** By the rules, else by a store read. */
    public AnswerClass answer(String text) {
        String key = normalizer.key(text);
        if (normalizer.rejection(text, key).isPresent() || reserved.contains(key)) {
            return AnswerClass.REFUSED;
        }
        return read(key);
    }

    /** By a store read alone. */
    public AnswerClass read(String key) {
        try {
            for (RegisteredIdentifierStore store : stores) {
                if (reads.counting(() -> store.exists(key, TIMEOUT).held())) {
                    return AnswerClass.RECHECK_FOUND;
                }
            }
            return AnswerClass.RECHECK_FOUND_NOTHING;
        } catch (StoreException e) {
            return AnswerClass.UNKNOWN;
        }
    }
}
