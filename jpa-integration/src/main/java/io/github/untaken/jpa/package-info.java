/**
 * Connects the checker to Jakarta Persistence. {@link io.github.untaken.jpa.JpaIdentifiers} is the door; with Hibernate
 * nothing else is needed, with another provider {@link io.github.untaken.jpa.AvailabilityEntityListener} tells of writes.
 */
@NullMarked
package io.github.untaken.jpa;

import org.jspecify.annotations.NullMarked;
