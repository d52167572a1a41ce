package io.github.untaken.memory;

import java.util.function.LongSupplier;

/** The monotonic clock, in nanoseconds, and the wall clock, in milliseconds. */
public record Clocks(LongSupplier nanoTime, LongSupplier wallMillis) {
    Lease now() {
        return new Lease(nanoTime.getAsLong(), wallMillis.getAsLong());
    }
}
