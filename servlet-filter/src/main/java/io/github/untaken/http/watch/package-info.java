/** Which requests of the application may register an identifier. Internal; what is done with them is the servlet filter's. */
@NullMarked
package io.github.untaken.http.watch;

import org.jspecify.annotations.NullMarked;
