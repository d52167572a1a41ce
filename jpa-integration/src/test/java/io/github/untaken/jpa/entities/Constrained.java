package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.validation.Available;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The constraint of a form on an entity, where it would see the entity's own announcement. */
@Entity
public class Constrained {
    @Id
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    @Available("username")
    public String getUsername() {
        return username;
    }
}
