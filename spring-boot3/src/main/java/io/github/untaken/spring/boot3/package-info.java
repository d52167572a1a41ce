/**
 * What Spring Boot 3 keeps in other classes than Spring Boot 4: health, and where the database is. The rest of the auto-configuration is
 * that of {@code untaken-spring-boot}. On Spring Boot 4 nothing here matches.
 */
@NullMarked
package io.github.untaken.spring.boot3;

import org.jspecify.annotations.NullMarked;
