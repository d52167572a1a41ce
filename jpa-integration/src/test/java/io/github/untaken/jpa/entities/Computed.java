package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.Generated;
import org.hibernate.generator.EventType;

/** The database computes the identifier from the display form. */
@Entity
public class Computed {
    @Id
    @GeneratedValue
    public Long id;

    public String display;

    @RegisteredIdentifier("username")
    @Generated(event = {EventType.INSERT, EventType.UPDATE})
    @Column(
            columnDefinition = "varchar(60) generated always as (lower(display))",
            insertable = false,
            updatable = false)
    public String username;

    protected Computed() {}

    public Computed(String display) {
        this.display = display;
    }
}
