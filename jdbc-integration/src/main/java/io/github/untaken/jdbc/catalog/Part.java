package io.github.untaken.jdbc.catalog;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One relation that rows of a watched table are in, or are written by: the table itself, a partition, a child or a parent of it, a view
 * over it.
 *
 * @param id the same as long as it is the same one, whatever it is called
 * @param name by which it is written, bare
 * @param bornEmpty whether it has been a part from the moment it was made, so that nothing was in it then
 * @param decides of all that decides which rows there are, how they compare and who else writes them
 * @param versions of the catalog's rows about it, where it has such; they change with what was changed and changed back
 * @param excuses of each of these rows, what changes its version and decides nothing: rights, owners, options
 * @param file where its rows are; another one after a TRUNCATE, and after it was rewritten
 * @param empty whether the database believes that there is no row in it
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

    /** Of a database whose catalog has no versions. */
    static Part of(String id, String name, String decides) {
        return new Part(id, name, false, decides, List.of(), List.of(), "", false);
    }

    /** Whether nothing has happened to it in between that matters, as far as the catalog can tell. */
    boolean isUnchangedIn(Part later) {
        boolean versioned = versions.size() == later.versions.size()
                && IntStream.range(0, versions.size()).allMatch(row -> isUnchangedIn(later, row));
        boolean emptied = !file.equals(later.file) && later.empty;
        return decides.equals(later.decides) && versioned && !emptied;
    }

    /** A grant excuses the row that it stands in, and no other that was changed beside it. */
    private boolean isUnchangedIn(Part later, int row) {
        return versions.get(row).equals(later.versions.get(row))
                || !excuses.get(row).equals(later.excuses.get(row));
    }
}
