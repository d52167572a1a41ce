/**
 * The bare tables behind the mappings: which column holds an identifier, how it is read, in pages and ranges, how the database
 * compares it, which transactions have to end before a scan, and who else writes it. Knows nothing of events.
 */
@NullMarked
package io.github.untaken.jpa.hibernate.table;

import org.jspecify.annotations.NullMarked;
