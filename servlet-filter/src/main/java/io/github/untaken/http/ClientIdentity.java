package io.github.untaken.http;

import io.github.untaken.http.address.ClientNetworks;
import io.github.untaken.http.address.ForwardedFor;
import io.github.untaken.http.address.IpAddress;
import io.github.untaken.http.address.IpNetwork;
import io.github.untaken.http.spi.CheckRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells clients apart by their socket's address or, behind trusted proxies, by what those say. */
final class ClientIdentity {
    private static final List<String> FORWARDING = Arrays.stream(ForwardingHeader.values())
            .map(ForwardingHeader::header)
            .toList();

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

    /**
     * The client of a request. Strangers are told of the header by which a peer that is no trusted proxy claims to speak for somebody else:
     * either it is made up, or the settings do not name a proxy.
     */
    ClientKey of(CheckRequest request, Consumer<String> strangers) {
        String peer = request.remoteAddress();
        Optional<String> claim =
                FORWARDING.stream().filter(name -> request.header(name) != null).findFirst();
        IpAddress client = IpAddress.ofPeer(peer).orElse(null);
        if (client != null && proxies.trusts(client)) {
            client = proxies.client(request.headers(header)).orElse(client);
        } else {
            claim.ifPresent(strangers);
        }
        if (client == null) {
            return new ClientKey(peer);
        }
        String text = client.clientText(ipv6PrefixLength);
        List<ClientNetwork> around = new ArrayList<>(2);
        for (ClientNetworks.Size size : networks.around(client, ipv6PrefixLength)) {
            around.add(new ClientNetwork(client.networkText(size.length()), size.clients()));
        }
        return new ClientKey(text, around);
    }
}
