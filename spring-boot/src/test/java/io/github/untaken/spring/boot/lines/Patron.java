package io.github.untaken.spring.boot.lines;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** Whom nobody has annotated: what is written of one is heard by a watched data source, or not at all. */
@Entity
class Patron {
    @Id
    @GeneratedValue
    Long id;

    @Column(unique = true)
    String username;

    protected Patron() {}

    Patron(String username) {
        this.username = username;
    }
}
