import org.jspecify.annotations.NullMarked;

/**
 * Keeps the registry in step with Jakarta Persistence. The Hibernate services stand only in META-INF/services: beside an optional
 * Hibernate, a {@code provides} clause does not resolve where Hibernate is absent.
 */
@NullMarked
module io.github.untaken.jpa {
    requires transitive io.github.untaken.core;
    requires io.github.untaken.jdbc;
    requires transitive jakarta.persistence;
    requires static org.hibernate.orm.core;
    requires static org.jspecify;
    requires static java.naming; // a session factory is Referenceable
    requires java.sql;
    requires net.ttddyy.dsproxy; // carries the watch

    exports io.github.untaken.jpa;
}
