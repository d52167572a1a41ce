package io.github.untaken.feed;

import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.StoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Whether the stores read the tables whose log is followed. The two addresses are given separately, so one may lead elsewhere: to a
 * copy, another database of the server, or another schema. The log would then say nothing about what the stores hold.
 *
 * <p>A copy of a server's files has all its names, but its log goes on by itself. So a store on the copy shows a place in the log
 * that does not lie between two read here, one before it and one after it.
 */
public final class SameDatabase {
    private SameDatabase() {}

    /** How the feed's own server marks a moment, in each way that its stores may use. */
    @FunctionalInterface
    public interface Marks {
        /** The marks of this moment for that place; always the same number of them. */
        List<DatabaseMark> of(Place place) throws SQLException;
    }

    /**
     * Why they do not; empty if they do. A store that cannot tell its database from another is passed over.
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
     * Returns if there is no {@link #objection}.
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
