package io.github.untaken.http;

/** How much the endpoint tells about identifiers of a kind. */
public enum KindMode {
    /** Everything, to everybody within the limits. For identifiers that are public anyway, as most user names are. */
    OPEN,

    /**
     * Everything but suggestions, to those admitted by a gate. The filter does not start without {@link EndpointSettingsBuilder#limiter}
     * and {@link EndpointSettingsBuilder#gate} set, and by default takes values by POST alone. The default for phone numbers and e-mail
     * addresses.
     */
    LIMITED,

    /**
     * Only whether an identifier keeps to the rules. Every one that does gets the same answer, byte for byte and after the same time,
     * whoever holds it, and the store is never read. So the person must be told another way, such as by a message to the owner of the
     * number.
     */
    BLIND
}
