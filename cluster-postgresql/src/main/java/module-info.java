import org.jspecify.annotations.NullMarked;

/** Tells each node what any other has committed, by PostgreSQL's own log. */
@NullMarked
@SuppressWarnings("requires-automatic") // the driver has no descriptor, but a name it reserved in its manifest
module io.github.untaken.cluster.postgresql {
    requires transitive io.github.untaken.core;
    requires java.sql;
    requires org.postgresql.jdbc;
    requires static org.jspecify;

    exports io.github.untaken.cluster.postgresql;
}
