/** What failed and was survived, and who is told. */
@NullMarked
package io.github.untaken.fault;

import org.jspecify.annotations.NullMarked;
