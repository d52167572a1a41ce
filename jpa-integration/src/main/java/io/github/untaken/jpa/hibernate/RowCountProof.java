package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.table.IdentifierColumn;
import org.hibernate.jdbc.Expectation;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.metamodel.mapping.internal.EntityCollectionPart;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;

/**
 * Whether Hibernate counts the rows of an entity's statements, so that an event stands for exactly one row. It does for
 * versioned and other entities alike, in batches too, unless custom SQL switches the check off or the database deletes the
 * row through a foreign key.
 *
 * @param ofDelete whether a delete is counted
 * @param ofUpdate whether an update of the identifier's column is counted
 * @param softDelete whether a delete leaves the row, and with it the name, where it is
 */
record RowCountProof(boolean ofDelete, boolean ofUpdate, boolean softDelete) {

    static RowCountProof of(EntityPersister persister, IdentifierColumn column) {
        EntityTableMapping root = persister.getIdentifierTableMapping();
        EntityTableMapping own = IdentifierColumn.tableMapping(persister, column.table());
        boolean ofDelete = isCounted(root.getDeleteExpectation())
                && !root.isCascadeDeleteEnabled()
                && !isDeletedByForeignKey(persister);
        // In a batch Hibernate checks the counts of the table with the primary key only.
        boolean ofUpdate = own != null && own.isIdentifierTable() && isCounted(own.getUpdateExpectation());
        return new RowCountProof(ofDelete, ofUpdate, persister.getSoftDeleteMapping() != null);
    }

    private static boolean isCounted(Expectation expectation) {
        return expectation instanceof Expectation.RowCount;
    }

    /** Whether some owner leaves the deletion of this entity's rows to the database ({@code @OnDelete}). */
    private static boolean isDeletedByForeignKey(EntityPersister persister) {
        boolean[] found = new boolean[1];
        persister
                .getFactory()
                .getMappingMetamodel()
                .forEachCollectionDescriptor(
                        collection -> found[0] |= collection.isCascadeDeleteEnabled() && holds(collection, persister));
        return found[0];
    }

    private static boolean holds(CollectionPersister collection, EntityPersister persister) {
        PluralAttributeMapping mapping = collection.getAttributeMapping();
        return mapping != null
                && mapping.getElementDescriptor() instanceof EntityCollectionPart
                && collection.getElementPersister().getRootEntityName().equals(persister.getRootEntityName());
    }
}
