package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The identifier is the primary key. */
@Entity
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
