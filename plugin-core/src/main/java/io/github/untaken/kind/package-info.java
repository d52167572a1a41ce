/** One kind put together: its rules, its checks, when its memory is made anew, and its figures. Not exported. */
@NullMarked
package io.github.untaken.kind;

import org.jspecify.annotations.NullMarked;
