/** What any part does with texts. */
@NullMarked
package io.github.untaken.text;

import org.jspecify.annotations.NullMarked;
