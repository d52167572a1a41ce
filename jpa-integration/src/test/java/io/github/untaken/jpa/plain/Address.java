package io.github.untaken.jpa.plain;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Embeddable;

@Embeddable
public class Address {
    @RegisteredIdentifier("email")
    private String email;

    protected Address() {}

    public Address(String email) {
        this.email = email;
    }
}
