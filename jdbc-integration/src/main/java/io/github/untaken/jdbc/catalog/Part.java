package io.github.untaken.jdbc.catalog;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A relation that holds rows of a watched table, or through which they are written: the table itself, a partition, a child or a parent of
 * it, a view over it.
 *
 * @param id stays the same while it is the same relation, whatever its name
 * @param name the bare name it is written by
 * @param bornEmpty whether it has been a part since it was made, so that it was empty then
 * @param decides all that decides which rows there are, how they compare and who else writes them
 * @param versions of its rows in the catalog, where these have any; they show even what was changed and changed back
 * @param excuses for each of these rows, what changes its version but decides nothing: rights, owners, options
 * @param file where its rows are; another one after a TRUNCATE or a rewrite
 * @param empty whether the database believes that it has no rows
 */
record Part(
        String id,
        String name,
        boolean bornEmpty,
        String decides,
        List<String> versions,
        List<String> excuses,
        String file,
        boolean empty) {

    /** For a database whose catalog has no versions. */
    static Part of(String id, String name, String decides) {
        return new Part(id, name, false, decides, List.of(), List.of(), "", false);
    }

    /** Whether nothing that matters has happened to it in between, as far as the catalog can tell. */
    boolean isUnchangedIn(Part later) {
        boolean versioned = versions.size() == later.versions.size()
                && IntStream.range(0, versions.size()).allMatch(row -> isUnchangedIn(later, row));
        boolean emptied = !file.equals(later.file) && later.empty;
        return decides.equals(later.decides) && versioned && !emptied;
    }

    /** A grant excuses the catalog row it stands in, and no other that changed beside it. */
    private boolean isUnchangedIn(Part later, int row) {
        return versions.get(row).equals(later.versions.get(row))
                || !excuses.get(row).equals(later.excuses.get(row));
    }
}
