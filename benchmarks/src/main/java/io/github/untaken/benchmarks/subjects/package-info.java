/** Everything that is compared: the members of our family and their peers, each behind the API that its users call. */
@NullMarked
package io.github.untaken.benchmarks.subjects;

import org.jspecify.annotations.NullMarked;
