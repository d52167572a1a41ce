package io.github.untaken;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an entity attribute whose values are identifiers of a kind, such as a user name. With the JPA integration on the
 * class path this is all an entity needs: the checker is told of what is inserted or renamed, before it is sent.
 *
 * <p>The attribute is a {@code String} and best holds the key itself, that is, the normalised form, with a display form in another
 * attribute. It may hold names as they were typed; then a column that the database compares without case is quicker, see
 * {@link #comparedAs}. Null is not an identifier. An entity may have several, and several entities may share a kind.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface RegisteredIdentifier {
    /** The name of the kind, as in {@link io.github.untaken.IdentifierKind#name}. */
    String value();

    /**
     * What makes two values of the column one name in the database, where that is neither its type nor its collation: an expression
     * with <code>{column}</code> in place of the column, such as <code>lower({column})</code>, on which PostgreSQL can have a unique
     * index; or the name of a column that the table generates of it, with a unique index. Empty by default: nothing is said, and then
     * on H2 and PostgreSQL the unique indexes tell.
     *
     * <p>Before each scan the database is asked whether a unique index keeps that, and whether it folds the case of a to z; if not, a
     * warning has the SQL to run. With it a column may hold names as they were typed ({@code Alice}). Only Hibernate 7.2 and later are
     * asked through it; with other providers it changes nothing.
     */
    String comparedAs() default "";

    /**
     * Which rows count, where deleted ones stay in the table: a condition in its columns, as SQL has it after {@code where}, such as
     * {@code del_flag = '0'}. A name that only other rows hold is free. Empty by default: all rows count, but on PostgreSQL those alone that
     * the condition of a unique index holds, if each index of the column has one.
     *
     * <p>Before each scan the database is asked whether it takes the condition; if not, the kind does not become ready, and the reason
     * says why. Where a unique index holds all rows it refuses such a name all the same; then it is answered as taken, and a warning says
     * so. Only what Hibernate maps is asked through it; with other providers it changes nothing, and all rows count.
     */
    String where() default "";
}
