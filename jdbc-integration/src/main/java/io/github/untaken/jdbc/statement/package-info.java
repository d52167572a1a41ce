/**
 * What a text of SQL may write: {@code StatementJudge} reads it, {@code WatchedTables} knows where identifiers are, {@code CatalogFacts} what
 * the last look has shown.
 */
@NullMarked
package io.github.untaken.jdbc.statement;

import org.jspecify.annotations.NullMarked;
