/**
 * What a text of SQL may write. {@code StatementJudge} reads it, {@code WatchedTables} knows where identifiers are, and {@code
 * PendingEvents} tells which texts are an entity's own.
 */
@NullMarked
package io.github.untaken.jpa.hibernate.statement;

import org.jspecify.annotations.NullMarked;
