package io.github.untaken.servlet.exchange;

import io.github.untaken.IdentifierKind;
import java.util.Map;

/** What came of a form body: what it asks, or why it cannot be read. */
public interface Form {

    /**
     * Reads it.
     *
     * @param kinds by the name of the parameter
     */
    AvailabilityRequest read(Map<String, IdentifierKind> kinds) throws Refusal;
}
