package io.github.untaken.servlet;

import io.github.untaken.servlet.address.ForwardedFor;
import io.github.untaken.servlet.address.IpAddress;
import io.github.untaken.servlet.address.IpNetwork;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;

/** Tells clients apart, by the address of their socket or, behind trusted proxies, by what those say. */
final class ClientIdentity {
    private final int ipv6PrefixLength;
    private final String header;
    private final ForwardedFor proxies;

    /** @param trusted the proxies, none if the header is not to be read */
    ClientIdentity(int ipv6PrefixLength, ForwardingHeader header, List<IpNetwork> trusted) {
        this.ipv6PrefixLength = ipv6PrefixLength;
        this.header = header.header();
        this.proxies = new ForwardedFor(header == ForwardingHeader.FORWARDED, trusted);
    }

    ClientKey of(HttpServletRequest request) {
        String peer = String.valueOf(request.getRemoteAddr());
        Optional<IpAddress> address = socketAddress(peer);
        if (address.isEmpty()) {
            return new ClientKey(peer);
        }
        IpAddress client = address.get();
        if (proxies.trusts(client)) {
            client = proxies.client(lines(request)).orElse(client);
        }
        return new ClientKey(client.clientText(ipv6PrefixLength));
    }

    /** Containers write IPv6 addresses in brackets or with a zone, some of them. */
    private static Optional<IpAddress> socketAddress(String peer) {
        String address = peer.startsWith("[") && peer.endsWith("]") ? peer.substring(1, peer.length() - 1) : peer;
        int zone = address.indexOf('%');
        return IpAddress.parse(zone < 0 ? address : address.substring(0, zone));
    }

    private List<String> lines(HttpServletRequest request) {
        Enumeration<String> lines = request.getHeaders(header);
        return lines == null ? List.of() : Collections.list(lines);
    }
}
