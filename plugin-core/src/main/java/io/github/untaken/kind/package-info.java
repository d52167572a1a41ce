/** One kind put together: its rules, its checks, its rebuilds and its figures. Not exported. */
@NullMarked
package io.github.untaken.kind;

import org.jspecify.annotations.NullMarked;
