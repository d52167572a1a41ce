/** The endpoint before servlets and on WebFlux, by the properties. Internal. */
@NullMarked
package io.github.untaken.spring.boot.endpoint;

import org.jspecify.annotations.NullMarked;
