package io.github.untaken.jdbc.watch;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A connection over which each text is read before it is sent, as whoever is handed it has it. */
@SuppressWarnings("exports") // JSpecify's annotations concern no caller
public interface HeardConnection {

    /** Whether it is this one that hears what is sent, at once or behind another. */
    boolean isHeardBy(Watch watch);

    /**
     * What is behind it.
     *
     * @param maker who has put it there, as it was named then
     * @return null if it was another
     */
    @Nullable Connection behind(Object maker);

    /** Before what is behind it is given back by another way than {@code close}. Never throws. */
    void givingBack();

    /** What is behind it was given back, or nobody was handed this one. Never throws. */
    void givenBack();
}
