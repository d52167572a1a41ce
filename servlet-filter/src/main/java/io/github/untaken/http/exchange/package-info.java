/**
 * What one call of the availability endpoint asks, and how it is answered: strict parsing of query strings and bodies, JSON, and problem
 * texts in the client's language. Internal; knows nothing of filters, limits and settings.
 */
@NullMarked
package io.github.untaken.http.exchange;

import org.jspecify.annotations.NullMarked;
