package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The application assigns the id, so that rows can be upserted. */
@Entity
public class Listed {
    @Id
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    protected Listed() {}

    public Listed(long id, String username) {
        this.id = id;
        this.username = username;
    }
}
