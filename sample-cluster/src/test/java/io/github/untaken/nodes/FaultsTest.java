package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Three nodes under load, and what can happen to them and to their server. Whatever happens, no answer is wrong in latest mode, none is
 * wrong beyond the bound, and afterwards every row is known to every node. At greater length by {@code -Dnodes.length=5}.
 */
@Tag("nightly")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FaultsTest {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final int LENGTH = Integer.getInteger("nodes.length", 1);
    private static final int SOME = 100 * LENGTH;

    @RegisterExtension
    private static final LoadedNodes NODES = new LoadedNodes(BOUND, SOME);

    private final Cluster cluster = NODES.cluster();
    private Load load;

    @BeforeEach
    void begin() {
        load = NODES.load();
    }

    /** What it is asked while it stands still it answers afterwards, with all it knew before. */
    @Test
    void aNodeThatStoodStillCallsNothingAvailableThatWasCommittedMeanwhile() throws IOException {
        long gaps = cluster.node(2).stats().gaps();
        load.leaveOut(2);
        cluster.node(2).pause();
        List<NodeClient> asked = new ArrayList<>();
        try {
            load.goOn(SOME, 5 * BOUND.toMillis());
            for (int i = 0; i < 20; i++) {
                String name = "paused" + i;
                cluster.primary().sql("insert into account (username) values ('" + name + "')");
                NodeClient client = new NodeClient(cluster.node(2).port(), Duration.ofSeconds(20));
                asked.add(client);
                client.send("/check?modes=" + (i % 2 == 0 ? "bounded,latest" : "latest,bounded") + "&username=" + name);
            }
        } finally {
            cluster.node(2).resume();
        }
        for (NodeClient client : asked) {
            assertThat(client.receive().body()).doesNotContain("AVAILABLE");
            client.close();
        }
        load.askAgain(2);
        assertThat(cluster.node(2).stats().gaps()).isEqualTo(gaps);
    }

    @Test
    void aNodeIsKilledAndStartsAnew() {
        cluster.node(0).kill();
        load.goOn(SOME, 0);
        cluster.restart(0);
        load.goOn(SOME, 0);
    }

    @Test
    void theServerIsKilledAndStartsAnew() {
        for (int i = 0; i < LENGTH; i++) {
            cluster.primary().kill();
            cluster.primary().start();
            load.goOn(SOME, 0);
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "PostgreSQL knows it")
    void aSlotIsDropped() {
        List<Long> gaps = NODES.gaps();
        dropOneSlot();
        Cluster.await("a gap", () -> !NODES.gaps().equals(gaps));
        load.goOn(SOME, 0);
    }

    /** Whoever reads it goes on trying, so this may take some attempts. */
    private void dropOneSlot() {
        String slot = "from pg_replication_slots where slot_name like 'untaken%1'";
        Cluster.await("the slot can be dropped", () -> {
            try {
                cluster.primary().query("select pg_terminate_backend(active_pid, 1000) " + slot);
                return !cluster.primary()
                        .query("select pg_drop_replication_slot(slot_name) " + slot)
                        .isEmpty();
            } catch (IllegalStateException e) {
                return false;
            }
        });
    }

    /** As one whose start fails, again and again. It must not use up what the others, and a standby, need. */
    @Test
    @DisabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "PostgreSQL knows it")
    void aNodeIsKilledAgainAndAgainAsSoonAsItFollows() {
        for (int i = 0; i < 8; i++) {
            cluster.node(2).kill();
            cluster.restart(2);
            Cluster.await("it follows", () -> activeSlots() == 3);
        }
        cluster.awaitReady();
        assertThat(cluster.primary().query("select slot_name from pg_replication_slots"))
                .hasSizeLessThanOrEqualTo(4);
        load.goOn(SOME, 0);
    }

    private int activeSlots() {
        return cluster.primary()
                .query("select slot_name from pg_replication_slots where active")
                .size();
    }

    @Test
    void allConnectionsAreEndedOnceASecond() {
        for (int i = 0; i < 4 * LENGTH; i++) {
            Database.CHOSEN.endAllConnections(cluster.primary());
            load.goOn(1, 1_000);
        }
    }

    /** Its slot waits for them, and the scan sees them or the log tells of them, whenever they commit. */
    @Test
    void transactionsAreOpenWhileANodeStarts() throws Exception {
        List<Connection> open = new ArrayList<>();
        try (Asker asker = new Asker(cluster, load.tally(), Set.of())) {
            load.leaveOut(2);
            cluster.node(2).kill();
            for (int i = 0; i < 5; i++) {
                open.add(begun("open" + i));
            }
            Thread starting = new Thread(() -> cluster.restart(2));
            starting.start();
            commit(open.get(0), "open0", asker, 2);
            starting.join();
            load.askAgain(2);
            for (int i = 1; i < 4; i++) {
                load.goOn(SOME / 4, 200);
                commit(open.get(i), "open" + i, asker, 3);
            }
            load.goOn(SOME / 4, 200);
            commit(open.get(4), "open4", asker, 3);
            cluster.awaitReady();
            for (int i = 0; i < 5; i++) {
                asker.askAll("open" + i, System.nanoTime() - BOUND.toNanos(), true);
            }
        }
    }

    private Connection begun(String name) throws SQLException {
        Connection connection = cluster.primary().console();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into account (username) values ('" + name + "')");
        }
        return connection;
    }

    private void commit(Connection connection, String name, Asker asker, int nodes) throws SQLException {
        connection.commit();
        asker.askFirst(nodes, name, System.nanoTime(), true);
        connection.close();
    }

    @Test
    @DisabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "PostgreSQL knows it")
    void thePublicationIsAlteredAndRestored() throws IOException {
        List<Long> before = NODES.gaps();
        try (Asker asker = new Asker(cluster, load.tally(), Set.of())) {
            long begun = System.nanoTime();
            cluster.primary()
                    .sql(
                            "alter publication untaken drop table account",
                            "insert into account (username) values ('unpublished')",
                            "alter publication untaken add table account (id, username)");
            asker.askAll("unpublished", begun, true);
            NODES.awaitGapsWithinTheBound(before, begun);
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "PostgreSQL knows it")
    void theTableIsSwappedByRename() throws IOException {
        List<Long> before = NODES.gaps();
        try (Asker asker = new Asker(cluster, load.tally(), Set.of())) {
            cluster.primary()
                    .sql(
                            "begin; lock account; create table swapped (like account including all);"
                                    + " insert into swapped (id, username) select id, username from account;"
                                    + " insert into swapped (id, username) values (-1, 'swapped');"
                                    + " alter table swapped alter id restart with 10000000;"
                                    + " alter table account rename to swapped_away; alter table swapped rename to account; commit");
            long committed = System.nanoTime();
            asker.askAll("swapped", committed, true);
            NODES.awaitGapsWithinTheBound(before, committed);
            load.goOn(SOME, 0);
            cluster.primary()
                    .sql("alter publication untaken set table account (id, username)", "drop table swapped_away");
        }
    }
}
