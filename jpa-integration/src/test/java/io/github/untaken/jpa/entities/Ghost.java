package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.SoftDelete;

/** Deleted rows stay, and keep their names in the unique index; banned ones are hidden from queries. */
@Entity
@SoftDelete
@SQLRestriction("banned = false")
public class Ghost {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    public boolean banned;

    protected Ghost() {}

    public Ghost(String username) {
        this.username = username;
    }
}
