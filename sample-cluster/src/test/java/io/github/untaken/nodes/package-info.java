/** Several nodes on one real PostgreSQL, each a process of its own. */
@NullMarked
package io.github.untaken.nodes;

import org.jspecify.annotations.NullMarked;
