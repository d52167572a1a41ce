/**
 * Learns from the application's own requests which identifiers are registered. Internal; knows nothing of the endpoint, its limits and
 * settings.
 */
@NullMarked
package io.github.untaken.servlet.watch;

import org.jspecify.annotations.NullMarked;
