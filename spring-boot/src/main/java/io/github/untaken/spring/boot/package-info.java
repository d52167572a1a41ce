/** Everything that an application on Spring Boot needs, configured from its properties and beans. */
@NullMarked
package io.github.untaken.spring.boot;

import org.jspecify.annotations.NullMarked;
