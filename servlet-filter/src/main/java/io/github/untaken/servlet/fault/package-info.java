/** How it is told that something of ours broke. Internal. */
@NullMarked
package io.github.untaken.servlet.fault;

import org.jspecify.annotations.NullMarked;
