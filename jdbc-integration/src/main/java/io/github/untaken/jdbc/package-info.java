/**
 * The door: the tables that an application names, and the data source through which it writes them. On plain JDBC; knows nothing of
 * mappings and events.
 */
@NullMarked
package io.github.untaken.jdbc;

import org.jspecify.annotations.NullMarked;
