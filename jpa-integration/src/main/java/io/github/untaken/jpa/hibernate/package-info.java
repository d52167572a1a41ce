/**
 * What Hibernate tells and stores. Every Hibernate loads {@code AvailabilityIntegrator} and {@code
 * AvailabilityServices}, which ask {@code HibernateLine} first; one that is not heard touches little else.
 *
 * <p>A write flows one way: {@code HeardFactory} installs {@code EntityEvents} and {@code CollectionEvents}; they tell
 * the {@code SessionWrites} of the session, which has an {@code OpenWrite} for each transaction, and that speaks to the
 * registry. Statements that no event announces come by another way, from the {@code HandoverInspector} to the {@code
 * SessionStatements} of the session, judged by {@code FactoryJudge}. Which texts are an entity's own is known in
 * {@code statement}.
 */
@NullMarked
package io.github.untaken.jpa.hibernate;

import org.jspecify.annotations.NullMarked;
