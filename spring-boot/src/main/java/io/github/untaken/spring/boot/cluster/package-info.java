/** How the database's log is followed. Internal. */
@NullMarked
package io.github.untaken.spring.boot.cluster;

import org.jspecify.annotations.NullMarked;
