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
 * @param entries its rows in the catalog, where these have versions
 */
record Part(String id, String name, boolean bornEmpty, String decides, List<Entry> entries, Storage storage) {

    /**
     * A row of the catalog.
     *
     * @param version shows even what was changed and changed back
     * @param excuse what changes the version but decides nothing: rights, owners, options
     */
    record Entry(String version, String excuse) {
        /** A grant excuses the row it stands in, and no other that changed beside it. */
        boolean isUnchangedIn(Entry later) {
            return version.equals(later.version) || !excuse.equals(later.excuse);
        }
    }

    /**
     * Where its rows are.
     *
     * @param file another one after a TRUNCATE or a rewrite
     * @param empty whether the database believes that it has no rows
     */
    record Storage(String file, boolean empty) {
        static final Storage NOT_SHOWN = new Storage("", false);

        boolean isEmptiedIn(Storage later) {
            return !file.equals(later.file) && later.empty;
        }
    }

    /** For a database that does not show where its rows are. */
    static Part of(String id, String name, String decides, Entry... entries) {
        return new Part(id, name, false, decides, List.of(entries), Storage.NOT_SHOWN);
    }

    /** Whether nothing that matters has happened to it in between, as far as the catalog can tell. */
    boolean isUnchangedIn(Part later) {
        return decides.equals(later.decides)
                && entries.size() == later.entries.size()
                && IntStream.range(0, entries.size())
                        .allMatch(i -> entries.get(i).isUnchangedIn(later.entries.get(i)))
                && !storage.isEmptiedIn(later.storage);
    }
}
