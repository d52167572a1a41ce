/**
 * Sees what an application sends over JDBC: {@code WatchingFactory} and {@code WatchingListener} stand in datasource-proxy, {@code
 * StatementWatch} collects what a statement is about to write, {@code ConnectionWrites} when the server is done with it. Only two classes
 * know that library beside those four: {@code ConnectionWatch} and {@code ConnectionHandler}.
 */
@NullMarked
package io.github.untaken.jdbc.watch;

import org.jspecify.annotations.NullMarked;
