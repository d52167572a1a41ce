package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.Generated;
import org.hibernate.generator.EventType;

/** A trigger makes the identifier, and nothing of the table says so. */
@Entity
public class Stamped {
    @Id
    public long id;

    public String display;

    @RegisteredIdentifier("username")
    @Generated(event = {EventType.INSERT, EventType.UPDATE})
    @Column(insertable = false, updatable = false)
    public String username;
}
