/** What is logged while a test looks. */
@NullMarked
package io.github.untaken.test.log;

import org.jspecify.annotations.NullMarked;
