/**
 * Several processes on one MySQL or MariaDB database, each told by the server's own binary log of what any of them commits, and of what
 * a console does. {@link io.github.untaken.cluster.mysql.MySqlFeed} is the door.
 */
@NullMarked
package io.github.untaken.cluster.mysql;

import org.jspecify.annotations.NullMarked;
