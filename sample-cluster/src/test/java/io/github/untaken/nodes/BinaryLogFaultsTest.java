package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What happens to the binary log of MariaDB or MySQL, and in it, while three nodes are under load. As in {@link FaultsTest} nothing is wrong
 * meanwhile; where the log does not tell, there is a gap; a free name is answered all the time, and all heals alone.
 */
@Tag("nightly")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "server", matches = "mariadb|mysql", disabledReason = "-Pmariadb or -Pmysql")
class BinaryLogFaultsTest {
    private static final Duration BOUND = Duration.ofMillis(500);
    private static final int SOME = 100 * Integer.getInteger("nodes.length", 1);

    @RegisterExtension
    private static final LoadedNodes NODES = new LoadedNodes(BOUND, SOME);

    private final Cluster cluster = NODES.cluster();
    private Load load;
    private List<Long> gaps;

    @BeforeEach
    void begin() {
        load = NODES.load();
        gaps = NODES.gaps();
    }

    /** Also a node that did not hear of it, since it stood still. */
    @Test
    void theLogIsPurgedThatANodeHasNotRead() throws IOException {
        load.leaveOut(2);
        cluster.node(2).pause();
        try {
            Database.CHOSEN.endAllConnections(cluster.primary());
            load.goOn(SOME, 0);
            cluster.primary().sql("flush binary logs");
            String present = cluster.primary().query(showEnd()).get(0);
            cluster.primary().sql("purge binary logs to '" + present + "'");
        } finally {
            cluster.node(2).resume();
        }
        Cluster.await("a gap", () -> NODES.gaps().get(2) > gaps.get(2));
        aFreeNameIsAnswered();
        load.askAgain(2);
        cluster.awaitReady();
        assertThat(NODES.gaps().subList(0, 2)).isEqualTo(gaps.subList(0, 2));
    }

    private static String showEnd() {
        return Database.CHOSEN == Database.MYSQL ? "show binary log status" : "show master status";
    }

    @Test
    void theLogIsReset() throws IOException {
        cluster.primary().sql(Database.CHOSEN == Database.MYSQL ? "reset binary logs and gtids" : "reset master");
        NODES.awaitGaps(gaps);
        aFreeNameIsAnswered();
    }

    @Test
    void theTableIsAlteredAndSwapped() throws IOException {
        cluster.primary().sql("alter table account add column c int first");
        NODES.awaitGaps(gaps);
        aFreeNameIsAnswered();
        cluster.awaitReady();
        load.goOn(SOME, 0);
        swap("swapped", "select 1");
        isTaken("swapped");
        cluster.awaitReady();
        cluster.primary().sql("alter table account drop column c");
    }

    /** Nobody writes meanwhile, or it would be lost. */
    private void swap(String name, String first) {
        load.stop();
        cluster.primary()
                .sql(
                        first,
                        "create table other like account",
                        "insert into other (username) select username from account",
                        "insert into other (username) values ('" + name + "')",
                        "rename table account to account_away, other to account",
                        "drop table account_away");
        load.start();
    }

    /** Some tool of the operator's; nobody else has to know. */
    @Test
    void aStatementStandsInThePlaceOfItsRow() throws IOException {
        cluster.primary()
                .sql("set session binlog_format = 'STATEMENT'", "insert into account (username) values ('stated')");
        isTaken("stated");
        NODES.awaitGaps(gaps);
        aFreeNameIsAnswered();
    }

    /** As a dump has it that was made for a replica. The table comes with it, so the next look finds that, and a scan all its rows. */
    @Test
    void aDumpIsRestoredThatSwitchesTheLogOff() throws IOException {
        swap("dumped", "set session sql_log_bin = 0");
        NODES.awaitGaps(gaps);
        isTaken("dumped");
        aFreeNameIsAnswered();
    }

    /** The documentation says so: nobody can see it. A scan does. */
    @Test
    void aRowThatSomebodyKeepsOutOfTheLogIsUnknownUntilTheNextScan() throws Exception {
        cluster.primary().sql("set session sql_log_bin = 0", "insert into account (username) values ('unlogged')");
        load.goOn(SOME, BOUND.toMillis());
        assertThat(NODES.gaps()).isEqualTo(gaps);
        cluster.primary().sql("alter table account comment = 'scan it'");
        NODES.awaitGaps(gaps);
        isTaken("unlogged");
    }

    /** What has been prepared is told; whoever begins to follow in between finds that it may have missed it. */
    @Test
    void anXaTransactionIsPreparedBeforeANodeStarts() throws Exception {
        load.leaveOut(2);
        cluster.node(2).kill();
        try (Connection connection = cluster.primary().console();
                Statement statement = connection.createStatement()) {
            statement.execute("xa start 'one'");
            statement.execute("insert into account (username) values ('prepared')");
            statement.execute("xa end 'one'");
            statement.execute("xa prepare 'one'");
        }
        cluster.restart(2);
        commitPrepared();
        isTaken("prepared");
        load.askAgain(2);
    }

    private void commitPrepared() {
        Cluster.await("whoever prepared it has gone", () -> {
            try {
                cluster.primary().sql("xa commit 'one'");
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        });
    }

    /** On every node, in both modes, once the bound is over. */
    private void isTaken(String name) throws IOException {
        long committed = System.nanoTime();
        load.goOn(0, BOUND.toMillis());
        Tally tally = new Tally();
        try (Asker asker = new Asker(cluster, tally, Set.of())) {
            asker.askAll(name, committed, true);
        }
        assertThat(tally.faults()).isEmpty();
    }

    /** The database does. */
    private void aFreeNameIsAnswered() throws IOException {
        for (NodeProcess node : cluster.nodes()) {
            try (NodeClient client = new NodeClient(node.port(), Duration.ofSeconds(10))) {
                assertThat(client.get("/check?username=free" + System.nanoTime())
                                .body())
                        .contains("bounded=AVAILABLE", "latest=AVAILABLE");
            }
        }
    }
}
