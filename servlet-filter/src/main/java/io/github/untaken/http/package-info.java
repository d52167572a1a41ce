/**
 * The endpoint and its settings, for any front end: {@link io.github.untaken.http.AvailabilityEndpoint} answers what a
 * {@link io.github.untaken.http.spi.CheckExchange} brings. Knows nothing of servlets.
 */
@NullMarked
package io.github.untaken.http;

import org.jspecify.annotations.NullMarked;
