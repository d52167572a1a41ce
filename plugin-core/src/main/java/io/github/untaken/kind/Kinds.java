package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kinds of one checker. */
public final class Kinds {
    private final Set<IdentifierKind> names;
    private final KindChecker[] all;

    public Kinds(Map<IdentifierKind, KindChecker> checkers) {
        this.names = Set.copyOf(checkers.keySet());
        this.all = checkers.values().toArray(KindChecker[]::new);
    }

    /**
     * The checker of that kind.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    @SuppressWarnings("ReferenceEquality") // kinds are mostly constants; an equal one is looked up
    public KindChecker of(IdentifierKind kind) {
        for (KindChecker checker : all) {
            if (checker.kind() == kind) {
                return checker;
            }
        }
        return all[index(kind)];
    }

    /**
     * The index for {@link #at}.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    int index(IdentifierKind kind) {
        for (int i = 0; i < all.length; i++) {
            if (all[i].kind().equals(kind)) {
                return i;
            }
        }
        throw new IllegalArgumentException("there is no store of kind '" + kind + "', only of " + names()
                + ": annotate an entity attribute with @RegisteredIdentifier(\"" + kind
                + "\") or give the builder a store");
    }

    KindChecker at(int index) {
        return all[index];
    }

    int size() {
        return all.length;
    }

    public RegisteredKind registered(IdentifierKind kind) {
        return of(kind).registered();
    }

    public Set<IdentifierKind> names() {
        return names;
    }

    public List<KindChecker> all() {
        return List.of(all);
    }
}
