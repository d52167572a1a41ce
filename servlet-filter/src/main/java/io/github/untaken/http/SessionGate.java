package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckRequest;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests of an existing session that holds the attribute, if one is named. Makes no session.
 *
 * @param attribute of the session, or null if any session will do
 */
record SessionGate(@Nullable String attribute) implements RequestGate {

    @Override
    public boolean admits(CheckRequest request, IdentifierKind kind) {
        return attribute == null
                ? request.hasSession()
                : request.sessionAttribute(attribute).isPresent();
    }
}
