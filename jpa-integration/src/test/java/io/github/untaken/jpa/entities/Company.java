package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;

/** Has a table of its own for what it adds. */
@Entity
public class Company extends Party {
    @RegisteredIdentifier("tax-number")
    public String taxNumber;

    protected Company() {}

    public Company(String username, String taxNumber) {
        this.username = username;
        this.taxNumber = taxNumber;
    }
}
