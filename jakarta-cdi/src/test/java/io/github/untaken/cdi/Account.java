package io.github.untaken.cdi;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class Account {
    @Id
    @GeneratedValue
    Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    String username;

    static Account named(String username) {
        Account account = new Account();
        account.username = username;
        return account;
    }
}
