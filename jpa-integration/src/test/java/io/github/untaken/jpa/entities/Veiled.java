package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.Filter;
import org.hibernate.annotations.FilterDef;

/** A filter that is on in every session hides some rows. */
@Entity
@FilterDef(name = "visible", autoEnabled = true, defaultCondition = "hidden = false")
@Filter(name = "visible")
public class Veiled {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    public String username;

    public boolean hidden;

    protected Veiled() {}

    public Veiled(String username) {
        this.username = username;
    }
}
