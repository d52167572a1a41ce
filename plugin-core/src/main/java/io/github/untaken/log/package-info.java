/** The database's log: what it tells, how old its news are, and what is kept on the disk with a place in it. Not exported. */
@NullMarked
package io.github.untaken.log;

import org.jspecify.annotations.NullMarked;
