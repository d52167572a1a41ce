/** Normalizers that come with the core, and the list of reserved names. */
@NullMarked
package io.github.untaken.normalize;

import org.jspecify.annotations.NullMarked;
