/** What databases say of the watched tables, looked at from outside, and what follows from it. */
@NullMarked
package io.github.untaken.jdbc.catalog;

import org.jspecify.annotations.NullMarked;
