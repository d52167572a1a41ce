/** What transactions write of identifiers, until it is known how they end. */
@NullMarked
package io.github.untaken.jdbc.transaction;

import org.jspecify.annotations.NullMarked;
