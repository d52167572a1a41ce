package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** The second entity of its kind; its rows are inserted inside {@code persist}. */
@Entity
public class IdentityAccount {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    protected IdentityAccount() {}

    public IdentityAccount(String username) {
        this.username = username;
    }
}
