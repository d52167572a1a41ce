package io.github.untaken.jdbc.catalog;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All that one look has shown of the watched tables of a data source. Immutable.
 *
 * @param tables by the names they are watched under
 */
record Fingerprint(SeenServer server, Map<String, SeenTable> tables) {

    /**
     * The tables that have changed since an earlier look; all of them if the server is another one, or an older state of it.
     *
     * @param written whether something of that bare name may have been written before it was known to be a part
     */
    Set<String> changedSince(Fingerprint earlier, Predicate<String> written) {
        if (!earlier.server.isFollowedBy(server)) {
            return tables.keySet();
        }
        return tables.entrySet().stream()
                .filter(each -> !earlier.tables
                        .getOrDefault(each.getKey(), SeenTable.NONE)
                        .isUnchangedIn(each.getValue(), written))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
