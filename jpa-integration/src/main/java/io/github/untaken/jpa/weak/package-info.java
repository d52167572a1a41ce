/** How objects that belong to others are remembered without keeping them. */
@NullMarked
package io.github.untaken.jpa.weak;

import org.jspecify.annotations.NullMarked;
