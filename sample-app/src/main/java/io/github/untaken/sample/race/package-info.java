/** The race of the landing page: the same checks, answered by the database each time and by the checker, side by side. */
@NullMarked
package io.github.untaken.sample.race;

import org.jspecify.annotations.NullMarked;
