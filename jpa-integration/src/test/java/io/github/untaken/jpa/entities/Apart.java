package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.SecondaryTable;

/** The identifier stands in a second table, whose row comes and goes with it. */
@Entity
@SecondaryTable(name = "Apart_name")
public class Apart {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("username")
    @Column(table = "Apart_name", unique = true)
    public String username;

    protected Apart() {}

    public Apart(String username) {
        this.username = username;
    }
}
