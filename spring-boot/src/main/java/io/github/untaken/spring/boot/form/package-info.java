/** What a form is told: the checker of {@code @Available}, and problem details that name its fields. Internal. */
@NullMarked
package io.github.untaken.spring.boot.form;

import org.jspecify.annotations.NullMarked;
