package io.github.untaken.jpa.plain;

import jakarta.persistence.Entity;

/** Inherits the identifier of its superclass, which is an entity too. */
@Entity
public class Guest extends Visitor {
    protected Guest() {}

    public Guest(String username) {
        super(username, null);
    }
}
