package io.github.untaken.jpa.hibernate.statement;

import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.WatchedTables;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.hibernate.sql.model.MutationOperation;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.MutationType;
import org.hibernate.sql.model.TableMapping;
import org.hibernate.sql.model.jdbc.JdbcUpdateMutation;

/**
 * What the events of one entity or one element collection vouch for: the statements that Hibernate builds for it and
 * executes at that moment, as far as they write what the events tell of. They are not recognised by their form, which
 * anybody's statement may have: Hibernate says itself what it executes, see {@link PendingEvents#execute}.
 *
 * <p>Not vouched for are SQL that the application gave the mapping ({@code @SQLInsert}), for nobody knows what it makes
 * of the values, and what the database fills in.
 */
public final class OwnStatements {
    private final Object target;
    private final Set<String> tables = new HashSet<>();
    private final Set<IdentifierColumn> announced;
    private final Set<IdentifierColumn> readBackFromInserts;
    private final Set<IdentifierColumn> readBackFromUpdates;

    /**
     * The statements of an entity.
     *
     * @param announced the columns whose new values its PRE events tell of
     * @param readBackFromInserts those whose values the database makes with an insert, so that only the POST event tells
     *     of them
     * @param readBackFromUpdates the same for an update
     */
    public OwnStatements(
            EntityPersister persister,
            Set<IdentifierColumn> announced,
            Set<IdentifierColumn> readBackFromInserts,
            Set<IdentifierColumn> readBackFromUpdates) {
        this.target = persister;
        this.announced = announced;
        this.readBackFromInserts = readBackFromInserts;
        this.readBackFromUpdates = readBackFromUpdates;
        for (EntityTableMapping table : persister.getTableMappings()) {
            tables.add(WatchedTables.bareName(table.getTableName()));
        }
    }

    /**
     * The statements of an element collection.
     *
     * @param announced the columns whose new values its events tell of
     */
    public OwnStatements(CollectionPersister collection, Set<IdentifierColumn> announced) {
        this.target = collection;
        this.announced = announced;
        this.readBackFromInserts = Set.of();
        this.readBackFromUpdates = Set.of();
        tables.add(WatchedTables.bareName(collection.getTableName()));
    }

    boolean areOfCollection() {
        return target instanceof CollectionPersister;
    }

    /** Whether they write a watched table. */
    public boolean touches(WatchedTables watched) {
        return tables.stream().anyMatch(watched::contains);
    }

    /**
     * Whether these are what Hibernate executes. A delete only frees names: anything that writes one on that occasion
     * is not vouched for.
     */
    boolean areThoseOf(MutationOperationGroup executed) {
        return executed.getMutationType() != MutationType.DELETE
                && executed.getMutationTarget() == target
                && !isByTheApplication(executed);
    }

    /** An upsert counts as an update, and inserts by what the mapping has for inserts. */
    private static boolean isByTheApplication(MutationOperationGroup executed) {
        MutationType type = executed.getMutationType();
        for (int i = 0; i < executed.getNumberOfOperations(); i++) {
            MutationOperation operation = executed.getOperation(i);
            TableMapping table = operation.getTableDetails();
            boolean inserts = !(operation instanceof JdbcUpdateMutation);
            if (inserts && table.getInsertDetails().getCustomSql() != null
                    || type != MutationType.INSERT && table.getUpdateDetails().getCustomSql() != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether all that the statement writes to identifiers is announced.
     *
     * @param executed the write it belongs to
     * @param filledIn whether the database may have a value for a column that is left out
     */
    boolean announce(MutationOperationGroup executed, Judgement judgement, Predicate<IdentifierColumn> filledIn) {
        Set<IdentifierColumn> readBack =
                executed.getMutationType() == MutationType.INSERT ? readBackFromInserts : readBackFromUpdates;
        return !judgement.mistrusted()
                && judgement.columns().stream()
                        .allMatch(column -> announced.contains(column) || readBack.contains(column))
                && judgement.omitted().stream()
                        .noneMatch(column -> !readBack.contains(column) && filledIn.test(column));
    }

    /** Whether some values are known only when the POST event has read them back. */
    public boolean areReadBack() {
        return !readBackFromInserts.isEmpty() || !readBackFromUpdates.isEmpty();
    }
}
