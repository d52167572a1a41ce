package io.github.untaken.jpa.entities;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;

/** The identifier is part of a primary key of two columns. */
@Entity
public class Seat {
    @EmbeddedId
    public SeatId id;

    protected Seat() {}

    public Seat(String hall, String seat) {
        this.id = new SeatId(hall, seat);
    }
}
