/** A very large kind in one process: filled, asked, kept on the disk and read again. */
@NullMarked
package io.github.untaken.benchmarks.large;

import org.jspecify.annotations.NullMarked;
