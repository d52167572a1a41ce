/** The checker as a bean of Jakarta CDI; see {@link io.github.untaken.cdi.CheckerProducer}. */
@NullMarked
package io.github.untaken.cdi;

import org.jspecify.annotations.NullMarked;
