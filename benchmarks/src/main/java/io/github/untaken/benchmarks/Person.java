package io.github.untaken.benchmarks;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row as wide as those of a small accounts table. */
@Entity
class Person {
    @Id
    Long id;

    @RegisteredIdentifier("username")
    @Column(length = 30, unique = true)
    String username = "";

    @Column(length = 120)
    String note = "";
}
