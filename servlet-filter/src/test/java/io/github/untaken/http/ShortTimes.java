package io.github.untaken.http;

import java.time.Duration;

/** Times that nobody can set, for tests that cannot wait so long. */
public final class ShortTimes {
    private ShortTimes() {}

    /** For which the rest of a body is waited. */
    public static void ofBodies(EndpointSettingsBuilder settings, Duration time) {
        settings.bodyTime = time;
    }

    /** In which blind kinds are answered, of any length. */
    public static void ofBlindKinds(EndpointSettingsBuilder settings, Duration time) {
        settings.blindStep = time;
    }
}
