/** Other names for one that is taken. Internal. */
@NullMarked
package io.github.untaken.servlet.suggest;

import org.jspecify.annotations.NullMarked;
