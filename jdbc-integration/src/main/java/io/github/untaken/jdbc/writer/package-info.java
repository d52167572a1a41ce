/** Who else writes a table: marks of processes, and the barrier for transactions that are open. */
@NullMarked
package io.github.untaken.jdbc.writer;

import org.jspecify.annotations.NullMarked;
