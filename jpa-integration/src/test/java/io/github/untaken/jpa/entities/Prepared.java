package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;
import java.util.Locale;

/** Makes its identifier itself, when it is about to be written. */
@Entity
public class Prepared {
    @Id
    @GeneratedValue
    public Long id;

    public String display;

    @RegisteredIdentifier("username")
    public String username;

    protected Prepared() {}

    public Prepared(String display) {
        this.display = display;
    }

    @PrePersist
    @PreUpdate
    void fold() {
        username = display.toLowerCase(Locale.ROOT);
    }
}
