/** Networks that do not do what they should. */
@NullMarked
package io.github.untaken.test.net;

import org.jspecify.annotations.NullMarked;
