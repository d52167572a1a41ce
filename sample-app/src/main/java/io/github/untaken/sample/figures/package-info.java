/** The whole site in figures, now and over the last minutes, and what happened to it. For the dashboard. */
@NullMarked
package io.github.untaken.sample.figures;

import org.jspecify.annotations.NullMarked;
