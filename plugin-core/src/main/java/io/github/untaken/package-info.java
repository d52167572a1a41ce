/**
 * The door, {@link io.github.untaken.AvailabilityChecker}, what it answers ({@link io.github.untaken.Verdict}), and the
 * registry behind it, which is not public: one {@code RegisteredKind} for each kind, asked in the order membership
 * filter, whitelist, store.
 */
@NullMarked
package io.github.untaken;

import org.jspecify.annotations.NullMarked;
