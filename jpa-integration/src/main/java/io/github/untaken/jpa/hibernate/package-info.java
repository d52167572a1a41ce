/**
 * How what Hibernate writes is heard. Every Hibernate loads {@code AvailabilityServices}, which puts {@code HeardConnections} before
 * the provider of connections: as long as a checker is attached to the {@code Road}, each connection is handed out watched, as that of a
 * watched data source is. {@code OwnConnections} notices sessions that have their connection from elsewhere, and {@code Hearing} proves
 * that a factory is heard, or says what is missing.
 */
@NullMarked
package io.github.untaken.jpa.hibernate;

import org.jspecify.annotations.NullMarked;
