/** What a check costs beside the bare lookup, one by itself and many in a loop. */
@NullMarked
package io.github.untaken.benchmarks.check;

import org.jspecify.annotations.NullMarked;
