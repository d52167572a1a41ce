package io.github.untaken.spi;

import java.util.List;
import java.util.Map;

/**
 * Where the identifiers of an application live, and who tells of their changes; {@code JpaIdentifiers.of(emf)} is one.
 */
public interface IdentifierSource {

    /**
     * The stores of each kind this source holds; the same at each call. A kind kept in several tables has several: an
     * identifier exists if any of them holds it, and one that fails fails all.
     */
    Map<IdentifierKind, List<RegisteredIdentifierStore>> stores();

    /**
     * Starts telling of changes. Called once, before the first scan. Every transaction that has written an identifier and
     * has not yet ended when this is called is told of too, before this returns.
     */
    void connect(TransactionSink sink);

    /** Stops telling of changes; what is still open ends as {@link IdentifierTransaction#unknown}. */
    void disconnect();
}
