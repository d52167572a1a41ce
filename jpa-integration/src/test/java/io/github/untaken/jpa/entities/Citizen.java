package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.NaturalId;

/** Its natural id may change. */
@Entity
public class Citizen {
    @Id
    @GeneratedValue
    public Long id;

    @NaturalId(mutable = true)
    @RegisteredIdentifier("username")
    public String username;

    protected Citizen() {}

    public Citizen(String username) {
        this.username = username;
    }
}
