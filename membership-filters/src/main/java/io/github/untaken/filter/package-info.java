/**
 * A family of membership filters over 64-bit key hashes, and the keyed hash that makes these from strings. A library by
 * itself: nothing here knows of registries, databases or identifiers.
 */
@NullMarked
package io.github.untaken.filter;

import org.jspecify.annotations.NullMarked;
