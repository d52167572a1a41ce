package io.github.untaken;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an entity attribute whose values are identifiers of a kind, such as a user name. With the JPA integration on
 * the class path, an entity needs nothing else: the checker is told of inserts and renames before they are sent.
 *
 * <p>The attribute is a {@code String}. It best holds the key itself, that is, the normalised form, with a display form
 * in another attribute. It may hold names as typed; then a column that the database compares without case is quicker,
 * see {@link #comparedAs}. Null is not an identifier. An entity may have several, and several entities may share a
 * kind.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface RegisteredIdentifier {
    /** The name of the kind, as in {@link io.github.untaken.IdentifierKind#name}. */
    String value();

    /**
     * What makes two values of the column one name in the database, if neither its type nor its collation does: an
     * expression with <code>{column}</code> in place of the column, such as <code>lower({column})</code>, on which
     * PostgreSQL can have a unique index; or the name of a column that the table generates from it, with a unique
     * index. Default: empty, which states nothing; on H2 and PostgreSQL the unique indexes then tell.
     *
     * <p>Before each scan the database is asked whether a unique index enforces this, and whether it folds the case of
     * a to z; if not, a warning contains the SQL to run. With this, a column may hold names as typed ({@code Alice}).
     * Only Hibernate 7.2 and later support it; with other providers it changes nothing.
     */
    String comparedAs() default "";

    /**
     * Which rows count, if deleted rows stay in the table: a condition on its columns, as SQL has it after
     * {@code where}, such as {@code del_flag = '0'}. A name that only other rows hold is free. Default: empty, and all
     * rows count; but on PostgreSQL, if each index of the column has a condition, only the rows that the condition of a
     * unique index holds.
     *
     * <p>Before each scan the database is asked whether it accepts the condition; if not, the kind does not become
     * ready, and the reason says why. A unique index over all rows refuses such a name all the same; the name is then
     * answered as taken, and a warning says so. Only Hibernate's mappings support it; with other providers it changes
     * nothing, and all rows count.
     */
    String where() default "";
}
