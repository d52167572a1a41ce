package io.github.untaken.spring.boot.constrained;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.validation.Available;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** The mistake that is refused at start. */
@Entity
public class Person {
    @Id
    Long id;

    @Available("username")
    @RegisteredIdentifier("username")
    String username;
}
