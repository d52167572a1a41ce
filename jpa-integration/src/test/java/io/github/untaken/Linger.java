package io.github.untaken;

import java.time.Duration;

/** What only tests may set: beside statements that lingered for the usual ten minutes no test could wait for a birth. */
public final class Linger {
    private Linger() {}

    public static AvailabilityCheckerBuilder set(AvailabilityCheckerBuilder builder, Duration time) {
        return builder.linger(time);
    }
}
