/**
 * What an application or an adapter plugs in: where identifiers are stored
 * ({@link io.github.untaken.spi.RegisteredIdentifierStore}), what reports changes
 * ({@link io.github.untaken.spi.IdentifierSource}), and what makes two spellings one identifier
 * ({@link io.github.untaken.spi.IdentifierNormalizer}).
 */
@NullMarked
package io.github.untaken.spi;

import org.jspecify.annotations.NullMarked;
