package io.github.untaken.spring.boot3.app;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class Account {
    @Id
    @GeneratedValue
    Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    String username;

    protected Account() {}

    public Account(String username) {
        this.username = username;
    }
}
