/** Which column holds the identifiers of a kind, as the catalog knows it. */
@NullMarked
package io.github.untaken.jdbc.column;

import org.jspecify.annotations.NullMarked;
