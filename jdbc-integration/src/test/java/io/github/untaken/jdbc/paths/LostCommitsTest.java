package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.Engine;
import io.github.untaken.jdbc.paths.LyingConnections.Fate;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection breaks, and what is true is anybody's guess: the store is asked until nobody can be in doubt. */
@Tag("ci")
class LostCommitsTest {

    @ParameterizedTest
    @EnumSource
    void aLostReplyToCommitHidesNoName(Engine engine) {
        LyingConnections connections = new LyingConnections();
        try (PathDatabase database = new PathDatabase(engine, Pooling.NONE, connections::over)) {
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
            assertThat(database.doubtful()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatIsKilledWithAnOpenTransactionLeavesNothingHidden(Engine engine) throws SQLException {
        // A pool keeps a killed session of H2, whose error it does not know.
        Pooling pooling = engine == Engine.H2 ? Pooling.NONE : Pooling.HIKARI_INSIDE;
        try (PathDatabase database = new PathDatabase(engine, pooling)) {
            for (Way way : Way.values()) {
                List<String> names = database.freshNames(2);
                assertThatThrownBy(() -> database.writer(way).inTransaction(within -> {
                            within.insert(names.get(0));
                            killOthers(engine, database);
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

    /** Every connection with an open transaction. */
    private static void killOthers(Engine engine, PathDatabase database) {
        String sql = switch (engine) {
            case H2 ->
                "select abort_session(session_id) from information_schema.sessions " + " where contains_uncommitted";
            case POSTGRESQL ->
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and state = 'idle in transaction'";
        };
        try (Connection connection = database.table().connection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeQuery().next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
