/** How texts are made equal. */
@NullMarked
package io.github.untaken.text;

import org.jspecify.annotations.NullMarked;
