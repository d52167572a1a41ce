package io.github.untaken.cdi;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Marks nothing. */
@Entity
class Note {
    @Id
    Long id;
}
