package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import java.util.List;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.entity.AbstractEntityPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.sql.Template;
import org.hibernate.type.CustomType;
import org.hibernate.type.descriptor.java.StringJavaType;
import org.jspecify.annotations.Nullable;

/** Finds the physical column behind a mapped attribute, spelled and quoted as the mapping spells it. */
final class MappedColumn {
    private static final String PLACE = place();

    private MappedColumn() {}

    /**
     * The placeholder for the table in a read expression. Looked up at run time, or the compiler would inline that of one Hibernate line.
     */
    private static String place() {
        try {
            return String.valueOf(Template.class.getField("TEMPLATE").get(null));
        } catch (ReflectiveOperationException e) {
            return Template.TEMPLATE;
        }
    }

    /**
     * The column of an attribute of an entity.
     *
     * @throws IllegalStateException if what the column holds is not the attribute's own text
     */
    static IdentifierColumn of(EntityPersister persister, IdentifierAttribute attribute) {
        List<String> names = attribute.path().names();
        for (int depth = 1; depth < names.size(); depth++) {
            refuseSubclasses(persister.findByPath(String.join(".", names.subList(0, depth))), attribute);
        }
        SelectableMapping selectable =
                textColumn(persister.findByPath(attribute.path().dotted()), attribute);
        if (!(persister
                instanceof AbstractEntityPersister mapped)) { // the interface of 6.6 lacks the method called below
            throw refused(attribute, "is of an entity with a persister of its own");
        }
        return new IdentifierColumn(
                mapped.physicalTableNameForMutation(selectable),
                selectable.getSelectionExpression(),
                attribute.mark().comparedAs(),
                attribute.mark().where());
    }

    /**
     * The column of the elements of a collection.
     *
     * @throws IllegalStateException as {@link #of}
     */
    static IdentifierColumn ofElements(PluralAttributeMapping collection, IdentifierAttribute attribute) {
        ModelPart part = collection.getElementDescriptor();
        for (String name : attribute.path().ofElement()) {
            refuseSubclasses(part, attribute);
            part = ((EmbeddableValuedModelPart) part)
                    .getEmbeddableTypeDescriptor()
                    .findAttributeMapping(name);
        }
        return new IdentifierColumn(
                collection.getSeparateCollectionTable(),
                textColumn(part, attribute).getSelectionExpression(),
                attribute.mark().comparedAs(),
                attribute.mark().where());
    }

    private static void refuseSubclasses(@Nullable ModelPart part, IdentifierAttribute attribute) {
        if (part instanceof EmbeddableValuedModelPart embedded
                && embedded.getEmbeddableTypeDescriptor().isPolymorphic()) {
            throw new IllegalStateException(attribute + " is nested in an embeddable with subclasses, which is not"
                    + " supported: keep the identifier in the entity itself");
        }
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
            throw refused(attribute, "is not a String");
        }
        if (type.getJavaTypeDescriptor().getClass() != StringJavaType.class) {
            throw refused(attribute, "has a Java type of its own, which may change the text");
        }
        if (!type.getJdbcType().getClass().getName().startsWith("org.hibernate.")) {
            throw refused(attribute, "has a JDBC type of its own, which may change the text");
        }
        if (type.getJdbcType().isLob()) {
            throw refused(attribute, "is a large object, of which the column may hold only a number");
        }
        if (isTransformed(selectable)) {
            throw refused(attribute, "has a column transformer");
        }
        return selectable;
    }

    /** For plain columns Hibernate fills in both expressions too, with the bare column and the bare parameter. */
    private static boolean isTransformed(SelectableMapping selectable) {
        String read = selectable.getCustomReadExpression();
        String write = selectable.getCustomWriteExpression();
        boolean plainRead = read == null || read.equals(PLACE + '.' + selectable.getSelectionExpression());
        boolean plainWrite = write == null || write.equals("?");
        return !plainRead || !plainWrite;
    }

    private static IllegalStateException refused(IdentifierAttribute attribute, String why) {
        return new IllegalStateException(attribute + " is marked as a registered identifier but " + why
                + ", so its column does not hold the text itself: keep the normalised identifier in a plain"
                + " String column, and other forms in other attributes");
    }
}
