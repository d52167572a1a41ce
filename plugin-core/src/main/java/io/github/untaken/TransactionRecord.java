package io.github.untaken;

import io.github.untaken.spi.IdentifierTransaction;
import java.util.HashMap;
import java.util.Map;

/** What one transaction does, kind by kind. */
final class TransactionRecord implements IdentifierTransaction {
    private final Kinds kinds;
    private final Map<IdentifierKind, NetEffect> effects = new HashMap<>();

    TransactionRecord(Kinds kinds) {
        this.kinds = kinds;
    }

    @Override
    public void adding(IdentifierKind kind, String value) {
        effectOn(kind).adding(value);
    }

    @Override
    public void removing(IdentifierKind kind, String value) {
        effectOn(kind).removing(value);
    }

    @Override
    public void unseen(IdentifierKind kind) {
        effectOn(kind).unseen();
    }

    private NetEffect effectOn(IdentifierKind kind) {
        return effects.computeIfAbsent(kind, k -> new NetEffect(kinds.registry(k)));
    }

    @Override
    public void committed() {
        effects.values().forEach(NetEffect::committed);
    }

    @Override
    public void rolledBack() {
        effects.values().forEach(NetEffect::rolledBack);
    }

    @Override
    public void unknown() {
        effects.values().forEach(NetEffect::unknown);
    }
}
