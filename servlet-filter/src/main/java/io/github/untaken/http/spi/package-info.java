/**
 * What a front end implements to have requests answered by the endpoint: one for servlets is in this module, one for WebFlux in {@code
 * untaken-spring-boot}. Nothing here, nor in the packages it needs, knows of servlets.
 */
@org.jspecify.annotations.NullMarked
package io.github.untaken.http.spi;
