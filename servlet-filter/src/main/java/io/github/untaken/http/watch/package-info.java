/** Which requests of the application may register an identifier. Internal; the servlet filter acts on them. */
@NullMarked
package io.github.untaken.http.watch;

import org.jspecify.annotations.NullMarked;
