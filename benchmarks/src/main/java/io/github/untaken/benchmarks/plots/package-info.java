/** The plots of the documentation: what was measured, beside what the formulas say. */
@NullMarked
package io.github.untaken.benchmarks.plots;

import org.jspecify.annotations.NullMarked;
