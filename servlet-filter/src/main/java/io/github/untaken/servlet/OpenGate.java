package io.github.untaken.servlet;

import io.github.untaken.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;

/** Admits everybody. Has a name, so that the start can say that the gate stands open. */
enum OpenGate implements RequestGate {
    INSTANCE;

    @Override
    public boolean admits(HttpServletRequest request, IdentifierKind kind) {
        return true;
    }
}
