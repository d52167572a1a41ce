/** The stores: a table of one database, put together from the other packages. */
@NullMarked
package io.github.untaken.jdbc.store;

import org.jspecify.annotations.NullMarked;
