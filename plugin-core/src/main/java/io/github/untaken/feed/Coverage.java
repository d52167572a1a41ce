package io.github.untaken.feed;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a feed tells of.
 *
 * @param places of all these kinds, in the same order in another life, wherever they come from
 */
public record Coverage(Set<IdentifierKind> kinds, List<Place> places) {
    /** Of nothing. */
    public static final Coverage NONE = new Coverage(Set.of(), List.of());

    /**
     * All the kinds that can be.
     *
     * @param asked those that have to be; empty: those that can
     * @throws IllegalStateException if one of those that have to be cannot
     */
    public static Coverage of(Set<IdentifierKind> asked, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        Set<IdentifierKind> covered = stores.keySet().stream()
                .filter(kind -> asked.isEmpty() || asked.contains(kind))
                .filter(kind -> isKnown(kind, asked, stores.getOrDefault(kind, List.of())))
                .collect(Collectors.toUnmodifiableSet());
        List<Place> places = new ArrayList<>();
        stores.forEach((kind, all) -> {
            if (covered.contains(kind)) {
                all.forEach(store -> places.add(Place.of(kind, (RegisteredIdentifierStore.InColumn) store)));
            }
        });
        places.sort(Place.ORDER);
        return new Coverage(covered, List.copyOf(places));
    }

    private static boolean isKnown(
            IdentifierKind kind, Set<IdentifierKind> asked, List<RegisteredIdentifierStore> stores) {
        boolean known =
                !stores.isEmpty() && stores.stream().allMatch(RegisteredIdentifierStore.InColumn.class::isInstance);
        if (!known && asked.contains(kind)) {
            throw new IllegalStateException("the feed cannot cover kind " + kind + ": one of its stores does not"
                    + " name its column; leave the kind out, or implement RegisteredIdentifierStore.InColumn");
        }
        return known;
    }
}
