package io.github.untaken.jpa.hibernate.statement;

import io.github.untaken.jpa.hibernate.statement.Judgement.Plain;
import io.github.untaken.jpa.hibernate.statement.Judgement.Verb;
import io.github.untaken.jpa.hibernate.table.IdentifierColumn;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.hibernate.persister.entity.mutation.MutationCoordinator;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.PreparableMutationOperation;
import org.jspecify.annotations.Nullable;

/**
 * The SQL by which Hibernate writes one entity or one element collection, so that it is known again when it is prepared. The
 * texts that do not depend on the values are compared as they stand; where Hibernate makes them for each write (dynamic
 * inserts and updates, optimistic locking by values, rows of a collection), or somebody's inspector rewrites them, the form
 * has to be that of a write of one row.
 */
public final class OwnStatements {

    /** What an event announces. */
    public enum Event {
        INSERT(Set.of(Verb.INSERT, Verb.MERGE, Verb.UPDATE)),
        UPDATE(Set.of(Verb.INSERT, Verb.MERGE, Verb.UPDATE, Verb.DELETE)),
        UPSERT(Set.of(Verb.INSERT, Verb.MERGE, Verb.UPDATE, Verb.DELETE)),
        DELETE(Set.of(Verb.DELETE, Verb.UPDATE)),
        /** All rows of one element collection, by any number of statements. */
        COLLECTION(Set.of(Verb.INSERT, Verb.UPDATE, Verb.DELETE));

        @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
        private final Set<Verb> verbs;

        Event(Set<Verb> verbs) {
            this.verbs = verbs;
        }
    }

    private final Set<String> tables = new HashSet<>();
    private final Map<Event, Set<String>> texts = new EnumMap<>(Event.class);
    private final Set<IdentifierColumn> announced;

    /** Those of an entity, whose events tell of the new values of the announced columns. */
    public OwnStatements(EntityPersister persister, Set<IdentifierColumn> announced) {
        this.announced = announced;
        for (EntityTableMapping table : persister.getTableMappings()) {
            tables.add(key(WatchedTables.bareName(table.getTableName())));
        }
        collect(Event.INSERT, persister.getInsertCoordinator());
        collect(Event.UPDATE, persister.getUpdateCoordinator());
        collect(Event.UPSERT, persister.getMergeCoordinator());
        collect(Event.DELETE, persister.getDeleteCoordinator());
    }

    /** Of an element collection: the form alone tells its statements. */
    public OwnStatements(CollectionPersister collection, Set<IdentifierColumn> announced) {
        this.announced = announced;
        tables.add(key(WatchedTables.bareName(collection.getTableName())));
    }

    private static String key(String table) {
        return table.toLowerCase(Locale.ROOT);
    }

    private void collect(Event event, @Nullable MutationCoordinator coordinator) {
        Set<String> found = texts.computeIfAbsent(event, e -> new HashSet<>());
        MutationOperationGroup group = coordinator == null ? null : coordinator.getStaticMutationOperationGroup();
        for (int i = 0; group != null && i < group.getNumberOfOperations(); i++) {
            if (group.getOperation(i) instanceof PreparableMutationOperation operation) {
                found.add(operation.getSqlString());
            }
        }
    }

    public boolean touches(WatchedTables watched) {
        return tables.stream().anyMatch(watched::contains);
    }

    /** Whether a statement is this entity's own for the event, and all it writes to identifiers is announced. */
    public boolean include(Event event, InspectedStatement statement) {
        Judgement judgement = statement.judgement();
        return announced.containsAll(judgement.columns())
                && (isText(event, statement) || isForm(event, judgement.plain()));
    }

    private boolean isText(Event event, InspectedStatement statement) {
        return statement.given().equals(statement.sent())
                && texts.getOrDefault(event, Set.of()).contains(statement.given());
    }

    private boolean isForm(Event event, @Nullable Plain plain) {
        return plain != null && event.verbs.contains(plain.verb()) && tables.contains(key(plain.table()));
    }
}
