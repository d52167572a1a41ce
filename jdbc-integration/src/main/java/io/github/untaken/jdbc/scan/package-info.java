/** Reads all rows of some tables in one state, or a few of them at random. */
@NullMarked
package io.github.untaken.jdbc.scan;

import org.jspecify.annotations.NullMarked;
