/**
 * The entry point, {@link io.github.untaken.AvailabilityChecker}, and its answer, {@link io.github.untaken.Verdict}.
 * Behind them, not public, is the registry: one {@code RegisteredKind} for each kind, asked in the order membership
 * filter, whitelist, store.
 */
@NullMarked
package io.github.untaken;

import org.jspecify.annotations.NullMarked;
