/** The constraint {@link io.github.untaken.validation.Available} of Bean Validation. */
@NullMarked
package io.github.untaken.validation;

import org.jspecify.annotations.NullMarked;
