package io.github.untaken.http;

import java.util.List;

/**
 * Whom a {@link ClientLimiter} holds responsible for a request.
 *
 * @param value an IPv4 address; or an IPv6 network such as {@code 2001:db8:0:1:0:0:0:0/64}, since whoever has one of its addresses usually
 *     has them all. It is that of the socket's peer or, if that is a configured proxy, what the proxy's header says. An address that the
 *     container gives in another form is kept as it is
 * @param networks around it, as {@link EndpointSettingsBuilder#clientNetworks} says; unmodifiable
 */
public record ClientKey(String value, List<ClientNetwork> networks) {
    /** Takes a copy of the networks. */
    public ClientKey {
        networks = List.copyOf(networks);
    }

    /** A client by itself. */
    public ClientKey(String value) {
        this(value, List.of());
    }
}
