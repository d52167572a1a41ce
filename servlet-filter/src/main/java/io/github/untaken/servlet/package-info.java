/**
 * The HTTP side. {@link io.github.untaken.servlet.AvailabilityServletFilter} answers availability checks and, for
 * applications without JPA, watches the requests that register identifiers.
 */
@NullMarked
package io.github.untaken.servlet;

import org.jspecify.annotations.NullMarked;
