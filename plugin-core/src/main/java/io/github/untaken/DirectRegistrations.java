package io.github.untaken;

import io.github.untaken.spi.IdentifierKind;

/** The write side for code that no source tells of. */
record DirectRegistrations(Kinds kinds) implements Registrations {

    @Override
    public Announcement announce(IdentifierKind kind, String text) {
        return SingleAnnouncement.ofTransaction(announced(kind, text));
    }

    @Override
    public Announcement watch(IdentifierKind kind, String text) {
        return SingleAnnouncement.ofRequest(announced(kind, text));
    }

    private NetEffect announced(IdentifierKind kind, String text) {
        IdentifierRegistry registry = kinds.registry(kind);
        NetEffect effect = new NetEffect(registry);
        // What was typed need not be what is stored, so it says nothing about the spelling of a row.
        effect.adding(registry.key(text));
        return effect;
    }

    @Override
    public void released(IdentifierKind kind, String text) {
        kinds.registry(kind).settlement().dropRemoval();
    }

    @Override
    public void bulk(IdentifierKind kind, Runnable work) {
        Generations generations = kinds.registry(kind).generations();
        generations.openDoubt("bulk work is under way");
        try {
            work.run();
        } finally {
            generations.closeDoubt(true);
        }
    }
}
