/**
 * The bare tables: which column holds an identifier, how it is read, in pages and ranges, how the database compares it,
 * which transactions have to end before a scan, and who else writes it. On plain JDBC; knows nothing of mappings and
 * events.
 */
@NullMarked
package io.github.untaken.jdbc;

import org.jspecify.annotations.NullMarked;
