package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;

/** The write side for code whose writes no source reports. */
public record DirectRegistrations(Kinds kinds) implements Registrations {

    @Override
    public Announcement announce(IdentifierKind kind, String... texts) {
        RegisteredKind registered = kinds.registered(kind);
        Telling telling = new Telling();
        for (String text : texts) {
            registered.tellings().tell(telling, text);
        }
        return registered.handOut(telling);
    }

    @Override
    public Announcement watch(IdentifierKind kind, String text) {
        return kinds.registered(kind).watched().watch(text);
    }

    @Override
    public void bulk(IdentifierKind kind, Runnable work) {
        Tellings tellings = kinds.registered(kind).tellings();
        Telling telling = new Telling();
        try {
            tellings.unseen(telling);
            work.run();
            tellings.over(telling);
        } finally {
            tellings.linger(telling); // no effect if it is over and the barrier can see its transaction
        }
    }
}
