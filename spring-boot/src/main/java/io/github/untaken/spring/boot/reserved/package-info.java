/** The reserved names that stand in files and tables. Internal. */
@NullMarked
package io.github.untaken.spring.boot.reserved;

import org.jspecify.annotations.NullMarked;
