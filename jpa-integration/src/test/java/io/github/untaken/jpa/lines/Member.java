package io.github.untaken.jpa.lines;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.HashSet;
import java.util.Set;

/** An entity that marks only what is embedded in the elements of a collection. */
@Entity
public class Member {
    @Id
    @GeneratedValue
    public Long id;

    @ElementCollection
    public Set<Nickname> nicknames = new HashSet<>();

    @Embeddable
    public record Nickname(@RegisteredIdentifier("username") String text) {}
}
