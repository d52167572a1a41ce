/** What databases say of the watched tables, looked at from outside, and what is concluded from it. */
@NullMarked
package io.github.untaken.jdbc.catalog;

import org.jspecify.annotations.NullMarked;
