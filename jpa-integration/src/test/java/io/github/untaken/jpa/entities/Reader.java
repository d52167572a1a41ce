package io.github.untaken.jpa.entities;

import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** The identifier is two embeddables deep. */
@Entity
public class Reader {
    @Id
    @GeneratedValue
    public Long id;

    @Embedded
    public Contact contact;

    protected Reader() {}

    public Reader(Contact contact) {
        this.contact = contact;
    }
}
