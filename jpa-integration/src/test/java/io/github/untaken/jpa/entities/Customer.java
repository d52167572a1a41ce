package io.github.untaken.jpa.entities;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** The table's name needs quotes. */
@Entity
@Table(name = "`Order Customer`")
public class Customer extends Named {
    protected Customer() {}

    public Customer(String username) {
        setUsername(username);
    }
}
