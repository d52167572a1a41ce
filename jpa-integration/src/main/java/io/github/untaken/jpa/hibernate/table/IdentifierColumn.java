package io.github.untaken.jpa.hibernate.table;

import io.github.untaken.jpa.mapping.IdentifierAttribute;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;
import org.hibernate.sql.Template;
import org.hibernate.type.CustomType;
import org.jspecify.annotations.Nullable;

/**
 * The physical column that holds an identifier, spelled and quoted as the mapping spells it.
 *
 * @param table the table's expression, with catalog and schema if the mapping has them
 * @param column the identifier's column
 * @param type how its values are bound and read
 * @param key the single column of the table's primary key, by which it can be read in pages; null if it has several or
 *     one that is no whole number, text or UUID
 */
public record IdentifierColumn(
        String table,
        String column,
        JdbcMapping type,
        @Nullable Key key) {

    public record Key(String column, JdbcMapping type) {

        @SuppressWarnings("unchecked") // the mapping binds values of the column's own type
        void bind(PreparedStatement statement, int index, Object value, SharedSessionContractImplementor session)
                throws SQLException {
            type.getJdbcValueBinder().bind(statement, value, index, session);
        }

        @Nullable Object read(ResultSet row, int index, SharedSessionContractImplementor session) throws SQLException {
            return type.getJdbcValueExtractor().extract(row, index, session);
        }

        boolean isNumber() {
            return Number.class.isAssignableFrom(type.getJavaTypeDescriptor().getJavaTypeClass());
        }

        /** A whole number as the type of this key, whose range holds it. */
        Object ofNumber(BigInteger number) {
            Class<?> target = type.getJavaTypeDescriptor().getJavaTypeClass();
            if (target == Long.class) {
                return number.longValueExact();
            }
            if (target == Integer.class) {
                return number.intValueExact();
            }
            return target == Short.class ? (Object) number.shortValueExact() : number;
        }
    }

    /**
     * The column of an attribute of an entity.
     *
     * @throws IllegalStateException if what the column holds is not the attribute's own text
     */
    public static IdentifierColumn of(EntityPersister persister, IdentifierAttribute attribute) {
        SelectableMapping selectable = textColumn(persister.findByPath(attribute.dottedPath()), attribute);
        String table = persister.physicalTableNameForMutation(selectable);
        return new IdentifierColumn(
                table,
                selectable.getSelectionExpression(),
                selectable.getJdbcMapping(),
                key(tableMapping(persister, table)));
    }

    /**
     * The column of the elements of a collection. It is scanned by one statement: the rows of a collection come and go, and
     * have no key of their own.
     *
     * @throws IllegalStateException as {@link #of}
     */
    public static IdentifierColumn ofElements(
            CollectionPersister collection, ModelPart identifier, IdentifierAttribute attribute) {
        SelectableMapping selectable = textColumn(identifier, attribute);
        return new IdentifierColumn(
                collection.getTableName(), selectable.getSelectionExpression(), selectable.getJdbcMapping(), null);
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

    private static @Nullable Key key(@Nullable EntityTableMapping table) {
        if (table == null || table.getKeyMapping().getKeyColumns().size() != 1) {
            return null;
        }
        SelectableMapping key = table.getKeyMapping().getSelectable(0);
        JdbcMapping type = key.getJdbcMapping();
        boolean plain = !key.isFormula()
                && type.getValueConverter() == null
                && !(type instanceof CustomType)
                && comesBackExactly(type.getJavaTypeDescriptor().getJavaTypeClass());
        return plain ? new Key(key.getSelectionExpression(), type) : null;
    }

    /** Whether a value read can be bound again and is then equal to the stored one: a time stamp may lose digits. */
    private static boolean comesBackExactly(Class<?> type) {
        return type == Long.class
                || type == Integer.class
                || type == Short.class
                || type == BigInteger.class
                || type == String.class
                || type == UUID.class;
    }

    public static @Nullable EntityTableMapping tableMapping(EntityPersister persister, String table) {
        for (EntityTableMapping mapping : List.of(persister.getTableMappings())) {
            if (mapping.getTableName().equals(table)) {
                return mapping;
            }
        }
        return null;
    }

    /** Two mappings of one column are one column, whatever types they bind it with. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IdentifierColumn that && table.equals(that.table) && column.equals(that.column);
    }

    @Override
    public int hashCode() {
        return Objects.hash(table, column);
    }

    /** For messages and logs. */
    @Override
    public String toString() {
        return table + "." + column;
    }
}
