/** Other names for a taken one. Internal. */
@NullMarked
package io.github.untaken.http.suggest;

import org.jspecify.annotations.NullMarked;
