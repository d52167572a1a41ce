/** Which texts of SQL are an entity's own: {@code PendingEvents} tells it, by what Hibernate says it executes. */
@NullMarked
package io.github.untaken.jpa.hibernate.statement;

import org.jspecify.annotations.NullMarked;
