/**
 * Makes the checker of the properties and of what other rooms and the application bring. Internal; whatever needs a checker comes after
 * it.
 */
@NullMarked
package io.github.untaken.spring.boot.checker;

import org.jspecify.annotations.NullMarked;
