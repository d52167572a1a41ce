package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Embeddable;
import java.util.Objects;

@Embeddable
public class SeatId {
    public String hall;

    @RegisteredIdentifier("seat")
    public String seat;

    protected SeatId() {}

    public SeatId(String hall, String seat) {
        this.hall = hall;
        this.seat = seat;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SeatId that && hall.equals(that.hall) && seat.equals(that.seat);
    }

    @Override
    public int hashCode() {
        return Objects.hash(hall, seat);
    }
}
