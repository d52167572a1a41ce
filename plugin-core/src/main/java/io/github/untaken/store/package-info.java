/** What is asked of the database: single keys, scans, comparisons. Not exported. */
@NullMarked
package io.github.untaken.store;

import org.jspecify.annotations.NullMarked;
