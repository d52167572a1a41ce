package io.github.untaken.jdbc.catalog;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a look has shown of one watched table.
 *
 * @param parts by their ids
 * @param decides what concerns the table as a whole, such as routines that name it
 * @param carriers by column, the tables whose changes a foreign key carries into it
 * @param routines that may write it, whoever calls them
 * @param filled the columns that get a value when a row is inserted without one, as the catalog spells them; with each the texts that this
 *     may be, or none if they are not known
 * @param computed the columns that may change with each change of the row
 */
record SeenTable(
        Map<String, Part> parts,
        String decides,
        Map<String, Set<String>> carriers,
        Set<String> routines,
        Map<String, Set<String>> filled,
        Set<String> computed) {

    /** A table that is not there. */
    static final SeenTable NONE = new SeenTable(Map.of(), "", Map.of(), Set.of(), Map.of(), Set.of());

    /** Whether no definition has added or removed rows in between, and all rows compare as before. */
    boolean isUnchangedIn(SeenTable later, Predicate<String> written) {
        return decides.equals(later.decides)
                && carriers.equals(later.carriers)
                && filled.equals(later.filled)
                && computed.equals(later.computed)
                && parts.values().stream().allMatch(part -> isThere(part, later))
                && later.parts.values().stream()
                        .allMatch(
                                part -> parts.containsKey(part.id()) || part.bornEmpty() && !written.test(part.name()));
    }

    private static boolean isThere(Part part, SeenTable later) {
        Part now = later.parts.get(part.id());
        return now != null && part.isUnchangedIn(now);
    }
}
