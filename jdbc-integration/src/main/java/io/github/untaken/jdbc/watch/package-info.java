/**
 * Sees what an application sends over JDBC. {@code WatchingFactory} and {@code WatchingListener} plug into datasource-proxy;
 * {@code StatementWatch} collects what a statement is about to write, {@code ConnectionWrites} when the server is done with it. Of these,
 * {@code ConnectionWrites} does not know that library; besides them, only {@code WatchingProxy}, {@code ConnectionWatch} and
 * {@code ConnectionHandler} do.
 */
@NullMarked
package io.github.untaken.jdbc.watch;

import org.jspecify.annotations.NullMarked;
