package io.github.untaken.http.address;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which networks around a client are limited too, and how many clients each counts as. Immutable.
 *
 * @param sizes of both families, pairwise distinct
 */
public record ClientNetworks(List<Size> sizes) {
    private static final int MOST_CLIENTS = 1_000;
    private static final Pattern FORM = Pattern.compile("(ipv4|ipv6)/([0-9]{1,3})=([0-9]{1,4})");

    /**
     * Networks of one size.
     *
     * @param bits of an address of their family, 32 or 128
     * @param length how many leading bits their addresses share
     * @param clients how many clients one counts as
     */
    public record Size(int bits, int length, int clients) {}

    /** Takes a copy. */
    public ClientNetworks {
        sizes = List.copyOf(sizes);
    }

    /**
     * What most networks are. A /56 is what most providers give one home, so it counts as little more than one client. A /48 is a company,
     * or 256 homes. A /24 is 256 neighbours with nothing in common, or one person who rents it.
     */
    public static ClientNetworks usual() {
        return parse("ipv4/24=8", "ipv6/56=2", "ipv6/48=16");
    }

    /**
     * Reads texts such as {@code ipv6/48=16}.
     *
     * @throws IllegalArgumentException if one is not of that form, or two are of one size
     */
    public static ClientNetworks parse(String... texts) {
        List<Size> sizes = new ArrayList<>();
        for (String text : texts) {
            Size size = size(text);
            for (Size other : sizes) {
                if (other.bits() == size.bits() && other.length() == size.length()) {
                    throw new IllegalArgumentException(
                            "networks of one size are given twice, the second time as '" + text + "'");
                }
            }
            sizes.add(size);
        }
        return new ClientNetworks(sizes);
    }

    /** The sizes of the networks around a client, those that are wider than the client itself. */
    public List<Size> around(IpAddress client, int ipv6PrefixLength) {
        return sizes.stream()
                .filter(size -> size.bits == client.bits() && (size.bits == 32 || size.length < ipv6PrefixLength))
                .toList();
    }

    private static Size size(String text) {
        Matcher parts = FORM.matcher(text);
        if (parts.matches()) {
            int bits = parts.group(1).equals("ipv4") ? 32 : 128;
            int length = Integer.parseInt(parts.group(2));
            int clients = Integer.parseInt(parts.group(3));
            if (length >= 8 && length < bits && clients >= 1 && clients <= MOST_CLIENTS) {
                return new Size(bits, length, clients);
            }
        }
        throw new IllegalArgumentException(
                "networks must be a family, a length from 8 to 31 (IPv4) or 127 (IPv6), and for"
                        + " how many clients one counts, 1 to " + MOST_CLIENTS
                        + ", such as ipv4/24=8 or ipv6/48=16, but were '"
                        + text + "'");
    }
}
