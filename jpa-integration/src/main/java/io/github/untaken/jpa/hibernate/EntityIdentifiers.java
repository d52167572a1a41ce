package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is to tell of a write of one entity.
 *
 * @param statements the SQL of an entity in a table with identifiers, its own or another's; null if it is in none
 * @param properties the identifiers among its attributes
 * @param elements those in its element collections
 */
record EntityIdentifiers(
        @Nullable OwnStatements statements, List<IdentifierProperty> properties, List<IdentifierElements> elements) {

    boolean isEmpty() {
        return statements == null && properties.isEmpty() && elements.isEmpty();
    }
}
