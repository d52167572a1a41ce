package io.github.untaken.jpa.plain;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.AvailabilityEntityListener;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** An entity that any provider can map, with the standard listener. */
@Entity
@EntityListeners(AvailabilityEntityListener.class)
public class Visitor {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    private String username;

    public String city;

    @Embedded
    private Address address;

    protected Visitor() {}

    public Visitor(String username, String email) {
        this.username = username;
        this.address = email == null ? null : new Address(email);
    }

    public String getUsername() {
        return username;
    }

    public void setUsername(String username) {
        this.username = username;
    }
}
