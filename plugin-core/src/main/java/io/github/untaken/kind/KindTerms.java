package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Stores;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The builder's settings for one kind.
 *
 * @param looks decides for how long a look at the tables is trusted
 */
public record KindTerms(
        IdentifierKind kind,
        IdentifierNormalizer normalizer,
        Stores stores,
        CatalogLease.Terms looks,
        Policy policy,
        Workers workers) {

    /**
     * What a check of the kind additionally promises.
     *
     * @param latest whether each check asks for everything committed before it
     * @param refusesVariants whether a name is refused that is stored in another spelling
     */
    public record Policy(boolean latest, boolean refusesVariants) {
        public static final Policy PLAIN = new Policy(false, false);
    }

    /**
     * The kind's executors.
     *
     * @param rechecks runs store reads; may refuse
     * @param clock a single thread for tasks that never block
     * @param rebuilds runs the births of this kind, one at a time
     */
    public record Workers(Executor rechecks, ScheduledExecutorService clock, Executor rebuilds) {}
}
