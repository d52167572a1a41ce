package io.github.untaken.jpa.entities;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Names that are not registered yet: bulk statements copy from them. */
@Entity
public class Applicant {
    @Id
    public Long id;

    public String name;

    protected Applicant() {}

    public Applicant(Long id, String name) {
        this.id = id;
        this.name = name;
    }
}
