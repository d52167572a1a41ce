package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** Two kinds in one entity, id from a sequence. */
@Entity
public class Account {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    @RegisteredIdentifier("phone")
    @Column(unique = true)
    public String phone;

    public String city;

    protected Account() {}

    public Account(String username, String phone) {
        this.username = username;
        this.phone = phone;
    }

    public static Account named(String username) {
        return new Account(username, null);
    }
}
