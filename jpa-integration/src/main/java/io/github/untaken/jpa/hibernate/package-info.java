/**
 * What Hibernate tells and stores. A write flows one way: {@code AvailabilityIntegrator} installs {@code EntityEvents},
 * they write into the {@code TransactionWrites} of the session's transaction, and these speak to the registry. Beside them
 * {@code UnseenWriteInspector} watches the SQL itself. What a text means stands in {@code statement}, how a table is read in
 * {@code table}.
 */
@NullMarked
package io.github.untaken.jpa.hibernate;

import org.jspecify.annotations.NullMarked;
