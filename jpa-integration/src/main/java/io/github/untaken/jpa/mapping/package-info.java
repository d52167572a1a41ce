/** Finds the attributes that hold identifiers, from the standard metamodel alone, for any provider. */
@NullMarked
package io.github.untaken.jpa.mapping;

import org.jspecify.annotations.NullMarked;
