package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.DynamicUpdate;

/** Only what has changed is sent. */
@Entity
@DynamicUpdate
public class Sparing {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("username")
    public String username;

    @Embedded
    public Box mailbox;

    protected Sparing() {}

    public Sparing(String username, String email) {
        this.username = username;
        this.mailbox = new Box();
        this.mailbox.email = email;
    }

    @Embeddable
    public static class Box {
        @RegisteredIdentifier("email")
        public String email;

        public String box;
    }
}
