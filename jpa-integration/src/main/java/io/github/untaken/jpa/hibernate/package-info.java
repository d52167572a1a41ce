/**
 * What Hibernate tells and stores. A write flows one way: {@code AvailabilityIntegrator} installs {@code EntityEvents}
 * and {@code CollectionEvents} for a {@code HeardFactory}; they tell the {@code SessionWrites} of the session, which
 * sorts them into {@code TransactionWrites}, and these speak to the registry. Statements that no event announces come
 * by another way, from the {@code HandoverInspector} to the {@code SessionStatements} of the session, judged by
 * {@code FactoryJudge}. Which texts are an entity's own is known in {@code statement}.
 */
@NullMarked
package io.github.untaken.jpa.hibernate;

import org.jspecify.annotations.NullMarked;
