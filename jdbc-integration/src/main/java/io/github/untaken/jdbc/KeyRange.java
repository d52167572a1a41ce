package io.github.untaken.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The rows whose primary keys lie between two values, in the order of the database.
 *
 * @param from the first key that belongs to it; null if there is none below
 * @param to the first key that does not; null if there is none above
 */
record KeyRange(@Nullable Object from, @Nullable Object to) {
    static final KeyRange ALL = new KeyRange(null, null);
}
