/** What the person who started the site reads in the terminal: how far it is, or why it cannot start. */
@NullMarked
package io.github.untaken.sample.console;

import org.jspecify.annotations.NullMarked;
