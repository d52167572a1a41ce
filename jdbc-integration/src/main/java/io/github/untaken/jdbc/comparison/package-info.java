/** How each database compares the texts of a column, and the questions that follow from it. */
@NullMarked
package io.github.untaken.jdbc.comparison;

import org.jspecify.annotations.NullMarked;
