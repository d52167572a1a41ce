/** Other names for one that is taken. Internal. */
@NullMarked
package io.github.untaken.http.suggest;

import org.jspecify.annotations.NullMarked;
