package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckRequest;

/** Admits everybody. Has a name, so that the startup log can say that the gate is open. */
enum OpenGate implements RequestGate {
    INSTANCE;

    @Override
    public boolean admits(CheckRequest request, IdentifierKind kind) {
        return true;
    }
}
