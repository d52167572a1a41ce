/**
 * How Hibernate's writes are heard. Every Hibernate loads {@code AvailabilityServices}, which puts {@code HeardConnections} before the
 * connection provider: while a checker is attached to the {@code Road}, each connection is handed out watched, like those of a watched data
 * source. {@code OwnConnections} notices sessions that have their connection from elsewhere. {@code Hearing} proves that a factory is
 * heard, or says what is missing.
 */
@NullMarked
package io.github.untaken.jpa.hibernate;

import org.jspecify.annotations.NullMarked;
