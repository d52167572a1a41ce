package io.github.untaken.feed;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a feed covers.
 *
 * @param places of all these kinds, in an order that is the same in each process, wherever they come from
 */
public record Coverage(Set<IdentifierKind> kinds, List<Place> places) {
    /** Covers nothing. */
    public static final Coverage NONE = new Coverage(Set.of(), List.of());

    /**
     * The kinds that were asked for or, if none was, all that can be covered.
     *
     * @param asked the kinds that must be covered; empty for all that can be
     * @throws IllegalStateException if a kind that must be covered cannot be
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
