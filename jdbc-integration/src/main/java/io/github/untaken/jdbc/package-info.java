/**
 * The door: the tables an application names, and the data source it writes them through. Plain JDBC; knows nothing of mappings or entity
 * events.
 */
@NullMarked
package io.github.untaken.jdbc;

import org.jspecify.annotations.NullMarked;
