package io.github.untaken.log;

import java.util.function.LongSupplier;

/** The clock that nobody can set, in nanoseconds, and the one on the wall, in milliseconds. */
public record Clocks(LongSupplier nanoTime, LongSupplier wallMillis) {
    Lease now() {
        return new Lease(nanoTime.getAsLong(), wallMillis.getAsLong());
    }
}
