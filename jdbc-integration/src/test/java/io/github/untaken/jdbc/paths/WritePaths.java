package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Every way to write a name, by everybody who writes SQL: from its commit on it is never called available, and without a line of
 * application code. Who extends this says on which databases.
 */
public abstract class WritePaths {
    private static final Map<Path<?>, PathDatabase> DATABASES = new ConcurrentHashMap<>();

    private final Path<?> path;
    private final PathDatabase database;
    private final Way.Writer writer;

    /** @param on what the names are kept in */
    public record Path<T>(T on, Way way) {

        /** By each way on each of these. */
        public static <T> Stream<Path<T>> each(T[] on) {
            return Arrays.stream(on).flatMap(each -> Arrays.stream(Way.values()).map(way -> new Path<>(each, way)));
        }
    }

    protected <T> WritePaths(Path<T> path, Function<T, PathTable> tables) {
        this.path = path;
        this.database =
                DATABASES.computeIfAbsent(path, each -> new PathDatabase(tables.apply(path.on()), Pooling.NONE));
        this.writer = database.writer(path.way());
    }

    @AfterAll
    static void close() {
        DATABASES.values().forEach(PathDatabase::close);
        DATABASES.clear();
    }

    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private void rolledBack(Names.Steps steps) {
        assertThatThrownBy(() -> writer.inTransaction(names -> {
                    steps.on(names);
                    throw new GivenUp();
                }))
                .isInstanceOf(GivenUp.class);
    }

    private String member() {
        String name = database.freshName();
        writer.inTransaction(names -> names.insert(name));
        return name;
    }

    private void assertTaken(String... names) {
        for (String name : names) {
            assertThat(database.isCommitted(name)).as("%s is committed", name).isTrue();
            assertThat(database.status(name)).as(name).isEqualTo(Status.TAKEN);
        }
        database.assertNothingCommittedIsAvailable();
        assertThat(database.state()).as("nothing was unseen").isEqualTo(KindState.READY);
    }

    private void assertAvailable(String... names) {
        for (String name : names) {
            assertThat(database.isCommitted(name)).as("%s is committed", name).isFalse();
            assertThat(database.status(name)).as(name).isEqualTo(Status.AVAILABLE);
        }
        database.assertNothingCommittedIsAvailable();
    }

    /** Though the database was asked before, and said that it is not there. */
    @Test
    void anInsertIsTakenFromItsCommitOn() {
        String name = database.freshName();
        assertAvailable(name);
        writer.inTransaction(names -> {
            names.insert(name);
            assertThat(database.status(name)).isEqualTo(Status.AVAILABLE);
        });
        assertTaken(name);
    }

    @Test
    void anInsertByItselfIsTaken() {
        String name = database.freshName();
        assertAvailable(name);
        writer.insertAlone(name);
        assertTaken(name);
    }

    @Test
    void aRolledBackInsertIsAvailableAgain() {
        String name = database.freshName();
        rolledBack(names -> names.insert(name));
        assertAvailable(name);
    }

    @Test
    void aRenameTakesTheNewNameAndFreesTheOld() {
        String name = member();
        String to = database.freshName();
        assertAvailable(to);
        writer.inTransaction(names -> names.rename(name, to));
        assertTaken(to);
        assertAvailable(name);
    }

    @Test
    void aRolledBackRenameKeepsTheOldName() {
        String name = member();
        String to = database.freshName();
        rolledBack(names -> names.rename(name, to));
        assertTaken(name);
        assertAvailable(to);
    }

    @Test
    void twoMayTradeTheirNames() {
        String one = member();
        String other = member();
        String between = database.freshName();
        writer.inTransaction(names -> {
            names.rename(one, between);
            names.rename(other, one);
            names.rename(between, other);
        });
        assertTaken(one, other);
        assertAvailable(between);
    }

    @Test
    void aDeletedNameIsAvailableAndCanBeTakenAnew() {
        String name = member();
        writer.inTransaction(names -> names.delete(name));
        assertAvailable(name);
        writer.inTransaction(names -> names.insert(name));
        assertTaken(name);
    }

    @Test
    void aNameDeletedAndInsertedInOneTransactionIsTaken() {
        String name = member();
        writer.inTransaction(names -> {
            names.delete(name);
            names.insert(name);
        });
        assertTaken(name);
    }

    @Test
    void eachNameOfABatchIsTaken() {
        List<String> batch = database.freshNames(20);
        batch.forEach(name -> assertThat(database.status(name)).isEqualTo(Status.AVAILABLE));
        writer.inTransaction(names -> names.insertAll(batch));
        assertTaken(batch.toArray(String[]::new));
    }

    @Test
    void aRefusedInsertThatIsCaughtRollsNothingBack() {
        String known = member();
        String name = database.freshName();
        writer.inTransaction(names -> {
            names.nested(within -> within.insert(known));
            names.insert(name);
        });
        assertTaken(known, name);
    }

    @Test
    void whatWasInsertedBeforeASavepointStaysAndWhatCameAfterItGoes() {
        String before = database.freshName();
        String within = database.freshName();
        String after = database.freshName();
        writer.inTransaction(names -> {
            names.insert(before);
            names.nested(nested -> {
                nested.insert(within);
                throw new GivenUp();
            });
            names.insert(after);
        });
        assertTaken(before, after);
        assertAvailable(within);
    }

    @Test
    void aDeleteThatASavepointTakesBackFreesNothing() {
        String name = member();
        writer.inTransaction(names -> names.nested(nested -> {
            nested.delete(name);
            throw new GivenUp();
        }));
        assertTaken(name);
    }

    @Test
    void aTransactionApartIsCommittedByItself() {
        String outer = database.freshName();
        String apart = database.freshName();
        rolledBack(names -> {
            names.insert(outer);
            names.apart(other -> other.insert(apart));
        });
        assertTaken(apart);
        assertAvailable(outer);
    }

    @Test
    void aTransactionApartThatIsGivenUpHarmsNobody() {
        String outer = database.freshName();
        String apart = database.freshName();
        writer.inTransaction(names -> {
            names.insert(outer);
            assertThatThrownBy(() -> names.apart(other -> {
                        other.insert(apart);
                        throw new GivenUp();
                    }))
                    .isInstanceOf(GivenUp.class);
        });
        assertTaken(outer);
        assertAvailable(apart);
    }

    @Test
    void theOneWhoComesSecondIsRefusedAndTheNameStaysTaken() {
        String name = member();
        assertThatThrownBy(() -> writer.inTransaction(names -> names.insert(name)))
                .as("%s", path)
                .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> writer.insertAlone(name)).isInstanceOf(RuntimeException.class);
        assertTaken(name);
    }
}
