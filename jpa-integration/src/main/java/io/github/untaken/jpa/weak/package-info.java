/** Remembers objects that belong to others without keeping them alive. */
@NullMarked
package io.github.untaken.jpa.weak;

import org.jspecify.annotations.NullMarked;
