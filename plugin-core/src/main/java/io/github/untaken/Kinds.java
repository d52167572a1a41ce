package io.github.untaken;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kinds of one checker. */
final class Kinds {
    private final Map<IdentifierKind, KindChecker> checkers;
    private final KindChecker[] all;

    Kinds(Map<IdentifierKind, KindChecker> checkers) {
        this.checkers = Map.copyOf(checkers);
        this.all = checkers.values().toArray(KindChecker[]::new);
    }

    /** @throws IllegalArgumentException if there is no such kind */
    @SuppressWarnings("ReferenceEquality") // kinds are mostly constants; an equal one is looked up
    KindChecker of(IdentifierKind kind) {
        for (KindChecker checker : all) {
            if (checker.kind() == kind) {
                return checker;
            }
        }
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

    List<KindChecker> all() {
        return List.of(all);
    }
}
