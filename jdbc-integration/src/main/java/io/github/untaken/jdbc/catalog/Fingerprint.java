package io.github.untaken.jdbc.catalog;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that one look has shown of the watched tables of a data source. Immutable.
 *
 * @param tables by the names that they are watched under
 */
record Fingerprint(SeenServer server, Map<String, SeenTable> tables) {

    /** The tables that are not what they were in an earlier look; all of them if the server is another one, or an older state of it. */
    Set<String> changedSince(Fingerprint earlier) {
        if (!earlier.server.isFollowedBy(server)) {
            return tables.keySet();
        }
        return tables.entrySet().stream()
                .filter(each -> !earlier.tables
                        .getOrDefault(each.getKey(), SeenTable.NONE)
                        .isUnchangedIn(each.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
