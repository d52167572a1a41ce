/** Who else writes a table: marks of processes, and the barrier for open transactions. */
@NullMarked
package io.github.untaken.jdbc.writer;

import org.jspecify.annotations.NullMarked;
