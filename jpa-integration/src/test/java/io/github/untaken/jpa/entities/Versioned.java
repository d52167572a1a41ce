package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** A stale copy of it cannot be written back. */
@Entity
public class Versioned {
    @Id
    @GeneratedValue
    public Long id;

    @Version
    public int version;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    public String city;

    protected Versioned() {}

    public Versioned(String username) {
        this.username = username;
    }
}
