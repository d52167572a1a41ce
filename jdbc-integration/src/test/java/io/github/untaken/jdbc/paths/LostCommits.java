package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.paths.LyingConnections.Fate;
import io.github.untaken.testkit.Eventually;
import java.util.List;

/** The connection breaks, and what is true is anybody's guess: the database is asked. */
public final class LostCommits {
    private LostCommits() {}

    /** The reply to a COMMIT is lost, or the COMMIT itself. */
    public static void hideNoName(PathTable table) {
        LyingConnections connections = new LyingConnections();
        try (PathDatabase database = new PathDatabase(table, Pooling.NONE, connections::over)) {
            for (Way way : Way.values()) {
                Way.Writer writer = database.writer(way);
                String name = database.freshName();
                assertThat(database.status(name)).isEqualTo(Status.AVAILABLE);
                connections.next(Fate.REPLY_LOST);
                assertThatThrownBy(() -> writer.inTransaction(names -> names.insert(name)))
                        .as(way.name())
                        .isInstanceOf(RuntimeException.class);
                assertThat(database.isCommitted(name)).isTrue();
                for (int i = 0; i < 3; i++) {
                    database.assertNothingCommittedIsAvailable();
                }
                String lost = database.freshName();
                connections.next(Fate.COMMIT_LOST);
                assertThatThrownBy(() -> writer.inTransaction(names -> names.insert(lost)))
                        .isInstanceOf(RuntimeException.class);
                Eventually.holds("the server has dropped it", () -> !database.isCommitted(lost));
                assertThat(database.status(lost)).as(way.name()).isEqualTo(Status.AVAILABLE);
                writer.inTransaction(names -> names.insert(lost));
                database.assertNothingCommittedIsAvailable();
            }
        }
    }

    /** A connection is cut with an open transaction. */
    public static void leaveNothingHidden(PathTable table, Pooling pooling) {
        try (PathDatabase database = new PathDatabase(table, pooling)) {
            for (Way way : Way.values()) {
                List<String> names = database.freshNames(2);
                assertThatThrownBy(() -> database.writer(way).inTransaction(within -> {
                            within.insert(names.get(0));
                            database.table().cutTransactions();
                            within.insert(names.get(1));
                        }))
                        .as(way.name())
                        .isInstanceOf(RuntimeException.class);
                Eventually.holds("the server has rolled it back", () -> !database.isCommitted(names.get(0)));
                database.assertNothingCommittedIsAvailable();
                Eventually.holds("nothing of it is left", () -> database.status(names.get(0)) == Status.AVAILABLE);
                Way.Writer writer = database.writer(way);
                Eventually.holds("the pool has connections again", () -> inserted(writer, names.get(0)));
                database.assertNothingCommittedIsAvailable();
            }
        }
    }

    private static boolean inserted(Way.Writer writer, String name) {
        try {
            writer.inTransaction(names -> names.insert(name));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
