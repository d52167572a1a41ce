package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.SQLDelete;
import org.hibernate.annotations.SQLUpdate;
import org.hibernate.jdbc.Expectation;

/** Has SQL of its own, whose row counts nobody looks at. */
@Entity
@SQLDelete(sql = "delete from Unchecked where id = ?", verify = Expectation.None.class)
@SQLUpdate(sql = "update Unchecked set username = ? where id = ?", verify = Expectation.None.class)
public class Unchecked {
    @Id
    @GeneratedValue
    public Long id;

    @RegisteredIdentifier("username")
    public String username;

    protected Unchecked() {}

    public Unchecked(String username) {
        this.username = username;
    }
}
