/**
 * What an application on Spring Boot uses and sets. The packages below configure everything from its properties and beans, and are
 * internal.
 */
@NullMarked
package io.github.untaken.spring.boot;

import org.jspecify.annotations.NullMarked;
