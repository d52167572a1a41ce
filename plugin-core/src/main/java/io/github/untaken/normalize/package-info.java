/** Normalizers that come with the core, and the list of names nobody may register. */
@NullMarked
package io.github.untaken.normalize;

import org.jspecify.annotations.NullMarked;
