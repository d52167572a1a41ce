/**
 * Sees what an application sends over JDBC. {@code WatchingFactory} and {@code WatchingListener} plug into datasource-proxy;
 * {@code StatementWatch} collects what a statement is about to write, {@code ConnectionWrites} when the server is done with it, and
 * {@code OpenTransactions} remembers both for a checker that comes later. Besides the first three, only {@code WatchingProxy},
 * {@code ConnectionWatch} and {@code ConnectionHandler} know that library.
 */
@NullMarked
package io.github.untaken.jdbc.watch;

import org.jspecify.annotations.NullMarked;
