/** Benchmarks of the membership filters beside what a lookup must cost and beside their peers. Not published. */
@NullMarked
package io.github.untaken.benchmarks;

import org.jspecify.annotations.NullMarked;
