package io.github.untaken.http;

import io.github.untaken.IdentifierKind;

/**
 * A field of a request.
 *
 * @param how how its kind is served
 * @param wantsOthers whether other names are wanted if it is taken
 */
record Question(String text, ServedKind how, boolean wantsOthers) {
    IdentifierKind kind() {
        return how.kind();
    }
}
