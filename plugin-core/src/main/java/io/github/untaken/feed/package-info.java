/** What the feeds of the databases have in common; open to them alone. */
@NullMarked
package io.github.untaken.feed;

import org.jspecify.annotations.NullMarked;
