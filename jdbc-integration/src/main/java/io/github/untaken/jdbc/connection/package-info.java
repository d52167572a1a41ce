/** Reads over the application's own pool: short, bounded in time, and never on a connection that may be in a transaction. */
@NullMarked
package io.github.untaken.jdbc.connection;

import org.jspecify.annotations.NullMarked;
