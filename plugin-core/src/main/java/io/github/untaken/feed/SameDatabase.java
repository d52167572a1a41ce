package io.github.untaken.feed;

import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Whether the stores read the tables whose log is followed. The addresses are given apart, so one may lead elsewhere: to a copy, to
 * another database of the server, to another schema. Then the log would be silent about what the stores hold.
 *
 * <p>A copy of a server's files has all its names. But it goes on by itself, so its place in the log is not between two that are read
 * here, one before it and one after it.
 */
public final class SameDatabase {
    private SameDatabase() {}

    /** How the feed's own server marks a moment, in each of the ways in which a store of its may. */
    @FunctionalInterface
    public interface Marks {
        /** Now, for that place; always as many. */
        List<DatabaseMark> of(Place place) throws SQLException;
    }

    /**
     * Why not, or nothing. Of a store that cannot tell its database from another nothing is said.
     *
     * @throws StoreException if a store cannot be asked
     */
    public static Optional<Gap> objection(List<Place> places, Marks marks) throws SQLException {
        for (Place place : places) {
            if (place.store() instanceof Identified store && !isIn(place, store, marks)) {
                return Optional.of(new Gap(
                        GapReason.STORE,
                        "the feed's address leads to another database than the store of kind " + place.kind()
                                + ", or its search path to another table "
                                + place.column().table() + "; give both the same primary, database and search path"));
            }
        }
        return Optional.empty();
    }

    /**
     * Goes on if there is none.
     *
     * @throws UnfollowableException if there is one, or a store cannot say which database it reads
     */
    public static void demand(List<Place> places, Marks marks) throws SQLException, UnfollowableException {
        try {
            UnfollowableException.demand(objection(places, marks));
        } catch (StoreException e) {
            throw new UnfollowableException(GapReason.STORE, "a store cannot identify its database: " + e.getMessage());
        }
    }

    private static boolean isIn(Place place, Identified store, Marks marks) throws SQLException {
        List<DatabaseMark> before = marks.of(place);
        DatabaseMark there = store.present();
        List<DatabaseMark> after = marks.of(place);
        for (int i = 0; i < before.size(); i++) {
            if (there.follows(before.get(i)) && after.get(i).follows(there)) {
                return true;
            }
        }
        return false;
    }
}
