package io.github.untaken.jpa.entities;

import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;

@Embeddable
public class Contact {
    @Embedded
    public Mailbox mailbox;

    protected Contact() {}

    public Contact(String email) {
        this.mailbox = new Mailbox(email);
    }
}
