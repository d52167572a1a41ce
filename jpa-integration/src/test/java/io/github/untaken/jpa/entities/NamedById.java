package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.AvailabilityEntityListener;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;

/** The identifier is the primary key. */
@Entity
@EntityListeners(AvailabilityEntityListener.class)
public class NamedById {
    @Id
    @RegisteredIdentifier("username")
    public String username;

    public String city;

    protected NamedById() {}

    public NamedById(String username) {
        this.username = username;
    }
}
