package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** The kinds of one checker. */
record Kinds(Map<IdentifierKind, KindChecker> checkers) {

    Kinds {
        checkers = Map.copyOf(checkers);
    }

    /** @throws IllegalArgumentException if there is no such kind */
    KindChecker of(IdentifierKind kind) {
        KindChecker checker = checkers.get(kind);
        if (checker == null) {
            throw new IllegalArgumentException("there is no store of kind '" + kind + "', only of " + names()
                    + ": annotate an entity attribute with @RegisteredIdentifier(\"" + kind
                    + "\") or give the builder a store");
        }
        return checker;
    }

    IdentifierRegistry registry(IdentifierKind kind) {
        return of(kind).registry();
    }

    Set<IdentifierKind> names() {
        return checkers.keySet();
    }

    Collection<KindChecker> all() {
        return checkers.values();
    }
}
