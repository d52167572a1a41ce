package io.github.untaken.http;

import io.github.untaken.http.address.ClientNetworks;
import io.github.untaken.http.address.ForwardedFor;
import io.github.untaken.http.address.IpAddress;
import io.github.untaken.http.address.IpNetwork;
import io.github.untaken.http.spi.CheckRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells clients apart by their socket's address or, behind trusted proxies, by what those say. */
final class ClientIdentity {
    private static final ForwardingHeader[] FORWARDING = ForwardingHeader.values();

    private final int ipv6PrefixLength;
    private final ClientNetworks networks;
    private final String header;
    private final ForwardedFor proxies;

    /** @param trusted the proxies; none if the header is not to be read */
    ClientIdentity(int ipv6PrefixLength, ClientNetworks networks, ForwardingHeader header, List<IpNetwork> trusted) {
        this.ipv6PrefixLength = ipv6PrefixLength;
        this.networks = networks;
        this.header = header.header();
        this.proxies = new ForwardedFor(header == ForwardingHeader.FORWARDED, trusted);
    }

    ClientKey of(CheckRequest request) {
        String peer = request.remoteAddress();
        Optional<IpAddress> address = socketAddress(peer);
        if (address.isEmpty()) {
            return new ClientKey(peer);
        }
        IpAddress client = address.get();
        if (proxies.trusts(client)) {
            client = proxies.client(request.headers(header)).orElse(client);
        }
        return new ClientKey(client.clientText(ipv6PrefixLength), around(client));
    }

    /** Only what is wider than the client itself. */
    private List<ClientNetwork> around(IpAddress client) {
        List<ClientNetwork> around = new ArrayList<>(2);
        for (ClientNetworks.Size size : networks.sizes()) {
            if (size.bits() == client.bits() && (client.bits() == 32 || size.length() < ipv6PrefixLength)) {
                around.add(new ClientNetwork(client.networkText(size.length()), size.clients()));
            }
        }
        return around;
    }

    /**
     * The header by which a peer that is no trusted proxy claims to speak for somebody else, if there is one: either it is made up, or the
     * settings do not name a proxy.
     */
    Optional<String> stranger(CheckRequest request) {
        for (ForwardingHeader each : FORWARDING) {
            if (request.header(each.header()) != null) {
                Optional<IpAddress> peer = socketAddress(request.remoteAddress());
                return peer.isPresent() && proxies.trusts(peer.get()) ? Optional.empty() : Optional.of(each.header());
            }
        }
        return Optional.empty();
    }

    /** Some containers write IPv6 addresses in brackets or with a zone. */
    private static Optional<IpAddress> socketAddress(String peer) {
        String address = peer.startsWith("[") && peer.endsWith("]") ? peer.substring(1, peer.length() - 1) : peer;
        int zone = address.indexOf('%');
        return IpAddress.parse(zone < 0 ? address : address.substring(0, zone));
    }
}
