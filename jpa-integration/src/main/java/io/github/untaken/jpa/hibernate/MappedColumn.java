package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.KeyType;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.hibernate.sql.Template;
import org.hibernate.type.CustomType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.java.StringJavaType;
import org.jspecify.annotations.Nullable;

/** Finds the physical column behind a mapped attribute, spelled and quoted as the mapping spells it. */
final class MappedColumn {
    private static final Map<Class<?>, KeyType> KEY_TYPES = Map.of(
            Long.class, KeyType.LONG,
            Integer.class, KeyType.INTEGER,
            Short.class, KeyType.SHORT,
            BigInteger.class, KeyType.BIG_INTEGER,
            String.class, KeyType.TEXT);

    private MappedColumn() {}

    /**
     * The column of an attribute of an entity.
     *
     * @throws IllegalStateException if what the column holds is not the attribute's own text
     */
    static IdentifierColumn of(EntityPersister persister, IdentifierAttribute attribute) {
        SelectableMapping selectable = textColumn(persister.findByPath(attribute.dottedPath()), attribute);
        String table = persister.physicalTableNameForMutation(selectable);
        return new IdentifierColumn(
                table,
                selectable.getSelectionExpression(),
                key(tableMapping(persister, table)),
                attribute.comparedAs());
    }

    /**
     * The column of the elements of a collection. It is scanned by one statement: the rows of a collection come and go,
     * and have no key of their own.
     *
     * @throws IllegalStateException as {@link #of}
     */
    static IdentifierColumn ofElements(
            CollectionPersister collection, ModelPart identifier, IdentifierAttribute attribute) {
        SelectableMapping selectable = textColumn(identifier, attribute);
        return new IdentifierColumn(
                collection.getTableName(), selectable.getSelectionExpression(), null, attribute.comparedAs());
    }

    /** Whether Hibernate writes the column through this attribute. Through a read-only one it shows what another writes. */
    static boolean isWrittenThrough(@Nullable ModelPart part) {
        return part instanceof SelectableMapping column && (column.isInsertable() || column.isUpdateable());
    }

    private static SelectableMapping textColumn(@Nullable ModelPart part, IdentifierAttribute attribute) {
        if (!(part instanceof SelectableMapping selectable) || selectable.isFormula()) {
            throw refused(attribute, "is not mapped to one column");
        }
        JdbcMapping type = selectable.getJdbcMapping();
        if (type.getValueConverter() != null || type instanceof CustomType) {
            throw refused(attribute, "has a converter or a custom type");
        }
        if (type.getJavaTypeDescriptor().getJavaTypeClass() != String.class) {
            throw refused(attribute, "is no String");
        }
        if (type.getJavaTypeDescriptor().getClass() != StringJavaType.class) {
            throw refused(attribute, "has a Java type of its own, which may change it on the way to the column");
        }
        if (!type.getJdbcType().getClass().getName().startsWith("org.hibernate.")) {
            throw refused(attribute, "has a JDBC type of its own, which may change it on the way to the column");
        }
        if (type.getJdbcType().isLob()) {
            throw refused(attribute, "is a large object, of which the column may hold a number only");
        }
        if (isTransformed(selectable)) {
            throw refused(attribute, "has a column transformer");
        }
        return selectable;
    }

    /** Hibernate fills in both expressions for plain columns too, with the bare column and the bare parameter. */
    private static boolean isTransformed(SelectableMapping selectable) {
        String read = selectable.getCustomReadExpression();
        String write = selectable.getCustomWriteExpression();
        boolean plainRead = read == null || read.equals(Template.TEMPLATE + '.' + selectable.getSelectionExpression());
        boolean plainWrite = write == null || write.equals("?");
        return !plainRead || !plainWrite;
    }

    private static IllegalStateException refused(IdentifierAttribute attribute, String why) {
        return new IllegalStateException(attribute + " is marked as a registered identifier but " + why
                + ", so that its column does not hold the text itself: keep the normalised identifier in a plain String"
                + " column, and other forms in other attributes");
    }

    private static IdentifierColumn.@Nullable Key key(@Nullable EntityTableMapping table) {
        if (table == null || table.getKeyMapping().getKeyColumns().size() != 1) {
            return null;
        }
        SelectableMapping key = table.getKeyMapping().getSelectable(0);
        JdbcMapping type = key.getJdbcMapping();
        boolean plain = !key.isFormula() && type.getValueConverter() == null && !(type instanceof CustomType);
        KeyType known = plain ? keyType(type) : null;
        return known == null ? null : new IdentifierColumn.Key(key.getSelectionExpression(), known);
    }

    /**
     * As what the column's values are bound and read; null for what may not come back exactly, as a time stamp may lose
     * digits.
     */
    private static @Nullable KeyType keyType(JdbcMapping mapping) {
        Class<?> type = mapping.getJavaTypeDescriptor().getJavaTypeClass();
        int column = mapping.getJdbcType().getDdlTypeCode();
        if (type == UUID.class) {
            if (SqlTypes.isCharacterType(column)) {
                return KeyType.TEXT;
            }
            return SqlTypes.isBinaryType(column) ? KeyType.UUID_IN_BYTES : KeyType.UUID;
        }
        return KEY_TYPES.get(type);
    }

    private static @Nullable EntityTableMapping tableMapping(EntityPersister persister, String table) {
        for (EntityTableMapping mapping : List.of(persister.getTableMappings())) {
            if (mapping.getTableName().equals(table)) {
                return mapping;
            }
        }
        return null;
    }
}
