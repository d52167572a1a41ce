package io.github.untaken.jpa.entities;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A second mapping of the table of {@link Account}, in which nothing is marked. */
@Entity
@Table(name = "Account")
public class AccountView {
    @Id
    public Long id;

    public String username;

    protected AccountView() {}

    public AccountView(Long id, String username) {
        this.id = id;
        this.username = username;
    }
}
