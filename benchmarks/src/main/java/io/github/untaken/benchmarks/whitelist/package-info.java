/** What the whitelist saves, and whether it saves more if not every name is let in at once. */
@NullMarked
package io.github.untaken.benchmarks.whitelist;

import org.jspecify.annotations.NullMarked;
