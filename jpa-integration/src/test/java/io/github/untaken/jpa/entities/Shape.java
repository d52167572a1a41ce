package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;

/** Abstract, and its subclasses have a table each: it has none itself. */
@Entity
@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
public abstract class Shape {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("shape")
    public String name;

    @Entity
    public static class Circle extends Shape {}

    @Entity
    public static class Square extends Shape {}
}
