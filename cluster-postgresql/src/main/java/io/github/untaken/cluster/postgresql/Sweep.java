package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.RepeatedLook;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Drops slots that nodes have left behind: each holds back the server's log. A node that was only away for that long finds its slot
 * gone, and scans.
 */
final class Sweep {
    private static final System.Logger LOG = System.getLogger(Sweep.class.getName());
    /** From version 17 on, the server itself says since when a slot has been idle. */
    private static final String IDLE = "select slot_name, coalesce(confirmed_flush_lsn::text, ''),"
            + " extract(epoch from now() - (to_jsonb(s) ->> 'inactive_since')::timestamptz)"
            + " from pg_catalog.pg_replication_slots s where not active and not temporary and plugin = 'pgoutput'"
            + " and starts_with(slot_name, ?)";

    private final Server server;
    private final SharedSlots slots;
    private final Duration age;
    private final RepeatedLook looks;
    private final Map<String, Seen> idle = new HashMap<>();

    /** When a slot was first seen at this place in the log. Needed only if the server does not say since when it has been idle. */
    private record Seen(String position, long since) {}

    Sweep(Server server, SharedSlots slots, Duration age) {
        this.server = server;
        this.slots = slots;
        this.age = age;
        this.looks = new RepeatedLook(
                "untaken-feed-sweep",
                Duration.ofMillis(Math.min(60_000, age.toMillis() / 4)),
                () -> look(System.nanoTime()));
    }

    void start() {
        looks.start();
    }

    void stop() {
        looks.stop();
    }

    private void look(long now) throws SQLException {
        try (Connection asked = server.plain(Duration.ofSeconds(5))) {
            List<String> old = new ArrayList<>();
            Set<String> present = new HashSet<>();
            try (PreparedStatement statement = asked.prepareStatement(IDLE)) {
                statement.setString(1, slots.prefix(asked));
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        present.add(row.getString(1));
                        if (isOld(row, now)) {
                            old.add(row.getString(1));
                        }
                    }
                }
            }
            idle.keySet().retainAll(present);
            for (String slot : old) {
                Slot.drop(asked, slot);
                LOG.log(
                        System.Logger.Level.INFO,
                        "Dropped replication slot {0}, which no one had read for {1}",
                        slot,
                        age);
            }
        }
    }

    private boolean isOld(ResultSet slot, long now) throws SQLException {
        double seconds = slot.getDouble(3);
        if (!slot.wasNull()) {
            return seconds >= age.toSeconds();
        }
        String position = slot.getString(2);
        Seen seen = idle.get(slot.getString(1));
        if (seen == null || !seen.position().equals(position)) {
            seen = new Seen(position, now);
            idle.put(slot.getString(1), seen);
        }
        return now - seen.since() >= age.toNanos();
    }
}
