package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Embeddable;

@Embeddable
public class Mailbox {
    @RegisteredIdentifier("email")
    public String email;

    protected Mailbox() {}

    public Mailbox(String email) {
        this.email = email;
    }
}
