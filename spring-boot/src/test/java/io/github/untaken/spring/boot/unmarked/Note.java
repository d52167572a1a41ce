package io.github.untaken.spring.boot.unmarked;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Set;

/** An entity that has nothing to do with us. */
@Entity
public class Note {
    @Id
    Long id;

    @ElementCollection
    Set<String> words;
}
