/** A real browser. */
@NullMarked
package io.github.untaken.test.browser;

import org.jspecify.annotations.NullMarked;
