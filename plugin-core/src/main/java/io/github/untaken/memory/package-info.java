/** What is known without asking the database: the keys of one kind, exactly or as a membership filter. Not exported. */
@NullMarked
package io.github.untaken.memory;

import org.jspecify.annotations.NullMarked;
