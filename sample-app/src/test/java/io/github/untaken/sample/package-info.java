@NullMarked
package io.github.untaken.sample;

import org.jspecify.annotations.NullMarked;
