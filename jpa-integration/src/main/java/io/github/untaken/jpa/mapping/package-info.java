/** Finds the attributes that hold identifiers, from the standard metamodel alone: it knows no provider. */
@NullMarked
package io.github.untaken.jpa.mapping;

import org.jspecify.annotations.NullMarked;
