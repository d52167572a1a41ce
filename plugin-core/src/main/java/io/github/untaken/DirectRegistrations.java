package io.github.untaken;

/** The write side for code that no source tells of. */
record DirectRegistrations(Kinds kinds) implements Registrations {

    @Override
    public Announcement announce(IdentifierKind kind, String text) {
        NetEffect effect = new NetEffect(kinds.registry(kind));
        effect.adding(text);
        return SingleAnnouncement.ofTransaction(effect);
    }

    @Override
    public Announcement watch(IdentifierKind kind, String text) {
        NetEffect effect = new NetEffect(kinds.registry(kind));
        effect.watching(text);
        return SingleAnnouncement.ofRequest(effect, text);
    }

    @Override
    public void released(IdentifierKind kind, String text) {
        IdentifierRegistry registry = kinds.registry(kind);
        registry.settlement().released(registry.key(text));
    }

    @Override
    public void bulk(IdentifierKind kind, Runnable work) {
        Generations generations = kinds.registry(kind).generations();
        boolean returned = false;
        try {
            generations.openDoubt("bulk work is under way");
            work.run();
            returned = true;
        } finally {
            // What threw may have lost the reply to a COMMIT that lands later.
            generations.closeDoubt(returned);
        }
    }
}
