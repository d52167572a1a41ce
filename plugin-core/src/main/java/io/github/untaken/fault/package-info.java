/** What failed and was survived, and who is told of it. */
@NullMarked
package io.github.untaken.fault;

import org.jspecify.annotations.NullMarked;
