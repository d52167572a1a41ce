package io.github.untaken.jpa.plain;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.AvailabilityEntityListener;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.util.Objects;

/** A key of two parts, one of which is the identifier. */
@Entity
@EntityListeners(AvailabilityEntityListener.class)
@IdClass(Ticket.Key.class)
public class Ticket {
    @Id
    public String hall;

    @Id
    @RegisteredIdentifier("ticket")
    public String ticket;

    protected Ticket() {}

    public Ticket(String hall, String ticket) {
        this.hall = hall;
        this.ticket = ticket;
    }

    public static class Key implements Serializable {
        private static final long serialVersionUID = 1;

        public String hall;
        public String ticket;

        public Key() {}

        public Key(String hall, String ticket) {
            this.hall = hall;
            this.ticket = ticket;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Key that && hall.equals(that.hall) && ticket.equals(that.ticket);
        }

        @Override
        public int hashCode() {
            return Objects.hash(hall, ticket);
        }
    }
}
