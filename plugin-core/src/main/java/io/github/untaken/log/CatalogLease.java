package io.github.untaken.log;

import io.github.untaken.memory.Clocks;
import io.github.untaken.memory.Freshness;
import io.github.untaken.memory.Lease;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.spi.TableCatalog.Look;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * For how long memory may be trusted without another look at the tables it was filled from. As with {@link Freshness},
 * a check reads the lease first and tests that same lease at its end. A look that shows no change renews it, as of when
 * it was sent, without a birth. A look that shows a change ends trust; a birth is asked for once nothing changes any
 * more: fifty migrations cost one scan.
 */
public final class CatalogLease {
    /** By then the next migration of a series would have shown. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<TableCatalog, Set<String>> tables;
    private final Freshness freshness;
    private final boolean patient;
    private final Consumer<Set<String>> changes;
    private final Map<TableCatalog, Seen> seen = new HashMap<>(); // guarded by this, as all below
    private long lastChange;
    private volatile boolean settling;
    private volatile @Nullable Lease lastGood;

    /** @param asked null if a later look failed */
    private record Seen(@Nullable Lease asked, Look look) {}

    /**
     * The builder's settings for leases.
     *
     * @param bound how long a look is valid
     * @param patience how much longer if the database does not answer; zero for not at all
     * @param judging catalogs of the tables by which writes of the kind are judged, whatever its stores are
     */
    public record Terms(Duration bound, Duration patience, Clocks clocks, Set<TableCatalog> judging) {
        /** For stores whose tables cannot be looked at. */
        public static final Terms UNASKED =
                new Terms(Duration.ZERO, Duration.ZERO, new Clocks(() -> 0, () -> 0), Set.of());

        /**
         * The lease of one kind.
         *
         * @param tables its own, by the catalogs that show them; tables that are not looked at are trusted
         * @param changes told which tables have changed; must not block
         */
        public CatalogLease lease(Map<TableCatalog, Set<String>> tables, Consumer<Set<String>> changes) {
            Map<TableCatalog, Set<String>> all = new LinkedHashMap<>(tables);
            judging.forEach(catalog -> all.putIfAbsent(catalog, Set.of()));
            return new CatalogLease(all, this, changes);
        }
    }

    private CatalogLease(Map<TableCatalog, Set<String>> tables, Terms terms, Consumer<Set<String>> changes) {
        this.tables = tables;
        this.freshness = tables.isEmpty()
                ? Freshness.UNBOUNDED
                : new Freshness(terms.bound().plus(terms.patience()), terms.clocks());
        this.patient = !terms.patience().isZero();
        this.changes = changes;
    }

    public Set<TableCatalog> catalogs() {
        return tables.keySet();
    }

    public Freshness freshness() {
        return freshness;
    }

    /** Whether memory is not trusted now, although nothing else speaks against it. */
    public boolean isOut() {
        return !freshness.holds(freshness.lease());
    }

    /** Whether something has changed and may keep changing, so that a birth had better wait. */
    public boolean isSettling() {
        return settling;
    }

    /**
     * How long ago the last good look was sent; the oldest of several catalogs'; empty before all have been looked at.
     */
    public Optional<Duration> age() {
        return Optional.ofNullable(lastGood).map(good -> Duration.ofNanos(now().nanos() - good.nanos()));
    }

    /** The lease that a look sent now will give. */
    public Lease now() {
        return freshness.now();
    }

    /** A look that was sent then has come back. */
    public void heed(TableCatalog catalog, Lease asked, Look look) {
        Set<String> changed;
        synchronized (this) {
            Seen before = seen.get(catalog);
            if (before != null && before.look().number() >= look.number()) {
                return; // overtaken by a later look
            }
            changed = before == null ? Set.of() : changed(catalog, before.look(), look);
            seen.put(catalog, new Seen(asked, look));
            if (!changed.isEmpty()) {
                settling = true;
                lastChange = now().nanos();
                changes.accept(changed);
            } else if (asked.nanos() - lastChange >= QUIET_NANOS) {
                settling = false;
            }
            renew();
        }
    }

    private Set<String> changed(TableCatalog catalog, Look before, Look now) {
        Set<String> changed = new TreeSet<>();
        for (String table : tables.getOrDefault(catalog, Set.of())) {
            if (!String.valueOf(before.tables().get(table)).equals(now.tables().get(table))) {
                changed.add(table);
            }
        }
        return changed;
    }

    /** The lease is as old as the oldest look; it is not renewed while one has failed since. */
    private void renew() {
        if (seen.size() < tables.size()) {
            return;
        }
        Lease oldest = null;
        for (Seen each : seen.values()) {
            Lease asked = each.asked();
            if (asked == null) {
                return;
            }
            if (oldest == null || asked.nanos() - oldest.nanos() < 0) {
                oldest = asked;
            }
        }
        if (oldest != null) {
            lastGood = oldest;
            freshness.renew(oldest);
        }
    }

    /**
     * A look has failed: the state of the database is unknown, and the lease ends unless the application has chosen
     * otherwise.
     */
    public synchronized void failed(TableCatalog catalog) {
        if (!patient) {
            seen.computeIfPresent(catalog, (same, last) -> new Seen(null, last.look()));
            freshness.end();
        }
    }

    /**
     * Looks now, for a birth. Blocks.
     *
     * @return equal to an earlier result if nothing changed in between
     * @throws StoreException if a catalog cannot be looked at
     */
    public Object look() {
        List<Object> states = new ArrayList<>();
        for (Map.Entry<TableCatalog, Set<String>> each : tables.entrySet()) {
            Lease asked = now();
            Look look;
            try {
                look = each.getKey().look();
            } catch (RuntimeException e) {
                failed(each.getKey());
                throw e;
            }
            heed(each.getKey(), asked, look);
            Map<String, String> state = new HashMap<>(look.tables());
            state.keySet().retainAll(each.getValue());
            states.add(state);
        }
        return states;
    }
}
