package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.TenantId;

/** Each tenant sees its own rows; a name is unique among all. */
@Entity
public class Flat {
    @Id
    @GeneratedValue
    public Long id;

    @TenantId
    public String tenant;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    protected Flat() {}

    public Flat(String username) {
        this.username = username;
    }
}
