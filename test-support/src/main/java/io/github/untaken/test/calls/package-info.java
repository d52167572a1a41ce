/** Objects whose calls a test looks at or answers itself. */
@NullMarked
package io.github.untaken.test.calls;

import org.jspecify.annotations.NullMarked;
