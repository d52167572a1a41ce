/**
 * The same list of checks replayed without the membership filter, with it, and with the whitelist too; and what came of it
 * as JSON, as CSV and as a picture.
 */
@NullMarked
package io.github.untaken.sample.experiment;

import org.jspecify.annotations.NullMarked;
