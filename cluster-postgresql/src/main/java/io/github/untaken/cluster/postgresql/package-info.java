/**
 * Several processes on one PostgreSQL database, each told by the database's own log of what any of them commits, and of what a
 * console does. {@link io.github.untaken.cluster.postgresql.PostgreSqlFeed} is the door.
 */
@NullMarked
package io.github.untaken.cluster.postgresql;

import org.jspecify.annotations.NullMarked;
