package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A connection as its user has it; each text is read before it is sent. */
@SuppressWarnings("exports") // callers need not see JSpecify's annotations
public interface HeardConnection {

    /** Whether this watch hears what is sent, either here or behind another. */
    boolean isHeardBy(Watch watch);

    /**
     * The connection behind it.
     *
     * @param maker who put it there, as named then
     * @return null if it was another
     */
    @Nullable Connection behind(Object maker);

    /** Call before the connection behind it is given back other than by {@code close}. Never throws. */
    void givingBack();

    /** The connection behind it was given back, or this one was handed to nobody. Never throws. */
    void givenBack();
}
