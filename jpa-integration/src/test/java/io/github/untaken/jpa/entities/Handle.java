package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

@Entity
public class Handle {
    @Id
    @GeneratedValue
    public Long id;

    @ManyToOne(fetch = FetchType.LAZY)
    public Owner owner;

    @RegisteredIdentifier("handle")
    public String name;

    protected Handle() {}

    Handle(Owner owner, String name) {
        this.owner = owner;
        this.name = name;
    }
}
