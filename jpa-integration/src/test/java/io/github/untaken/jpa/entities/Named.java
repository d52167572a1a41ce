package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;

/** The annotation stands on a getter although the fields are mapped. */
@MappedSuperclass
public abstract class Named {
    @Id
    @GeneratedValue
    private Long id;

    private String username;

    public Long getId() {
        return id;
    }

    @RegisteredIdentifier("username")
    public String getUsername() {
        return username;
    }

    public void setUsername(String username) {
        this.username = username;
    }
}
