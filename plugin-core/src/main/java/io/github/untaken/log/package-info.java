/**
 * The database's log: what it reports, how old its news is, and what is kept on disk with a position in it. Not
 * exported.
 */
@NullMarked
package io.github.untaken.log;

import org.jspecify.annotations.NullMarked;
