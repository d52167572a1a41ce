/** What the database is asked: single keys, scans, comparisons. Not exported. */
@NullMarked
package io.github.untaken.store;

import org.jspecify.annotations.NullMarked;
