package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import java.util.Optional;
import java.util.Set;

/**
 * How the endpoint serves one kind.
 *
 * @param methods at least one
 * @param suggestions absent if none are made
 */
record ServedKind(
        IdentifierKind kind, KindMode mode, Set<CheckMethod> methods, Optional<SuggestionPolicy> suggestions) {

    boolean blind() {
        return mode == KindMode.BLIND;
    }
}
