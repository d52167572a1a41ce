/**
 * The database's log: what it reports, questions that ask for its end, looks at the catalog, and what is kept on disk
 * with a position in the log. Not exported.
 */
@NullMarked
package io.github.untaken.log;

import org.jspecify.annotations.NullMarked;
