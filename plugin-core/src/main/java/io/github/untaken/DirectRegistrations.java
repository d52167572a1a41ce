package io.github.untaken;

import io.github.untaken.memory.Telling;

/** The write side for code that no source tells of. */
record DirectRegistrations(Kinds kinds) implements Registrations {

    @Override
    public Announcement announce(IdentifierKind kind, String... texts) {
        IdentifierRegistry registry = kinds.registry(kind);
        Telling telling = registry.tellings().begin();
        for (String text : texts) {
            registry.tellings().tell(telling, text);
        }
        return registry.handOut(telling);
    }

    @Override
    public Announcement watch(IdentifierKind kind, String text) {
        return kinds.registry(kind).watched().watch(text);
    }

    @Override
    public void bulk(IdentifierKind kind, Runnable work) {
        Tellings tellings = kinds.registry(kind).tellings();
        Telling telling = tellings.begin();
        boolean returned = false;
        try {
            tellings.unseen(telling);
            work.run();
            returned = true;
        } finally {
            if (returned) {
                tellings.close(telling);
            } else {
                tellings.linger(telling);
            }
        }
    }
}
