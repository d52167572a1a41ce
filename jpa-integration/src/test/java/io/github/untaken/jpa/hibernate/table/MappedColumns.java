package io.github.untaken.jpa.hibernate.table;

import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.jpa.mapping.IdentifierAttributes;
import io.github.untaken.spi.IdentifierKind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The identifier columns of a factory's entities, without their collections. */
public final class MappedColumns {
    private MappedColumns() {}

    public static Map<IdentifierKind, Set<IdentifierColumn>> of(SessionFactoryImplementor factory) {
        Map<IdentifierKind, Set<IdentifierColumn>> columns = new LinkedHashMap<>();
        for (IdentifierAttribute attribute : IdentifierAttributes.of(factory.getMetamodel())) {
            columns.computeIfAbsent(attribute.kind(), kind -> new HashSet<>())
                    .add(IdentifierColumn.of(
                            factory.getMappingMetamodel().getEntityDescriptor(attribute.entity()), attribute));
        }
        return columns;
    }
}
