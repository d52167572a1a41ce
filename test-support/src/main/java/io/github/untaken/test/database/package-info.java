/** Real database servers, and somebody at their consoles. */
@NullMarked
package io.github.untaken.test.database;

import org.jspecify.annotations.NullMarked;
