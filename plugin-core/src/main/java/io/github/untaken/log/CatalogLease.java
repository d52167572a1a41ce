package io.github.untaken.log;

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
 * For how long memory may be believed without another look at the tables that it was filled from. As with {@link Freshness}, a check
 * reads the lease first, and tests that very one at its end. A look that shows what the one before has shown renews it, from the moment
 * it was sent, without a birth; one that shows anything else ends trust, and a birth is asked for once nothing changes any more: fifty
 * migrations cost one scan.
 */
public final class CatalogLease {
    /** By then the next of some migrations would have shown. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<TableCatalog, Set<String>> tables;
    private final Freshness freshness;
    private final boolean patient;
    private final Consumer<Set<String>> changes;
    private final Map<TableCatalog, Seen> seen = new HashMap<>(); // guarded by this, as all below
    private long lastChange;
    private volatile boolean settling;
    private volatile @Nullable Lease lastGood;

    /** @param asked null since a later one has failed */
    private record Seen(@Nullable Lease asked, Look look) {}

    /**
     * What the builder was told of leases.
     *
     * @param bound for how long a look is worth something
     * @param patience for how much longer, though the database does not answer; zero for not at all
     * @param judging what shows the tables by which writes of the kind are judged, whatever its stores are
     */
    public record Terms(Duration bound, Duration patience, Clocks clocks, Set<TableCatalog> judging) {
        /** For stores whose tables nobody can look at. */
        public static final Terms UNASKED =
                new Terms(Duration.ZERO, Duration.ZERO, new Clocks(() -> 0, () -> 0), Set.of());

        /**
         * The lease of one kind.
         *
         * @param tables its own, by the catalogs that show them; what is not looked at is believed
         * @param changes told of tables that are not what they were; must not block
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

    Freshness freshness() {
        return freshness;
    }

    /** Whether memory is not believed now, although nothing else speaks against it. */
    public boolean isOut() {
        return !freshness.holds(freshness.lease());
    }

    /** Whether something has changed, and maybe goes on changing, so that a birth had better wait. */
    public boolean isSettling() {
        return settling;
    }

    /** How long ago the last good look was sent; the oldest of several catalogs', and empty before all have been looked at. */
    public Optional<Duration> age() {
        return Optional.ofNullable(lastGood).map(good -> Duration.ofNanos(now().nanos() - good.nanos()));
    }

    /** What a look that is sent now will be worth. */
    public Lease now() {
        return freshness.now();
    }

    /** A look that was sent then has come back. */
    public void heed(TableCatalog catalog, Lease asked, Look look) {
        Set<String> changed;
        synchronized (this) {
            Seen before = seen.get(catalog);
            if (before != null && before.look().number() >= look.number()) {
                return; // overtaken by a later one
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

    /** As old as the oldest look; not at all while one has failed since. */
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

    /** A look has failed: what the database holds nobody knows, and the lease is out unless somebody has chosen otherwise. */
    public synchronized void failed(TableCatalog catalog) {
        if (!patient) {
            seen.computeIfPresent(catalog, (same, last) -> new Seen(null, last.look()));
            freshness.end();
        }
    }

    /**
     * Looks now, for a birth. Blocks.
     *
     * @return equal to another one if there was no change in between
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
