package io.github.untaken.http.address;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads whom a chain of proxies speaks for, from the one header those proxies write. Each proxy appends the address it was called from, so
 * only the right end is vouched for. Going left from there, every trusted proxy's address is skipped, and the first other one is the
 * client. Anybody could have sent what stands further left.
 *
 * <p>If an entry on the way cannot be read, no client is named, as that header is not what those proxies write. Immutable.
 */
public final class ForwardedFor {
    /** More hops than any real chain; bounds the work of one header. */
    private static final int MOST_HOPS = 32;

    private static final int LONGEST_LINE = 4096;

    private final boolean standard;
    private final List<IpNetwork> trusted;

    /**
     * @param standard whether the header is {@code Forwarded} (RFC 7239), else {@code X-Forwarded-For}
     * @param trusted the proxies
     */
    public ForwardedFor(boolean standard, List<IpNetwork> trusted) {
        this.standard = standard;
        this.trusted = List.copyOf(trusted);
    }

    /** Whether this is the address of a proxy, whose header counts. */
    public boolean trusts(IpAddress peer) {
        for (IpNetwork network : trusted) {
            if (network.contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The client of a request that a trusted proxy sent; empty if the header does not tell.
     *
     * @param lines the lines of the header, in the order in which they came
     */
    public Optional<IpAddress> client(List<String> lines) {
        IpAddress furthest = null;
        int hops = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            List<String> entries = line.length() > LONGEST_LINE ? null : standard ? standardEntries(line) : plain(line);
            if (entries == null) {
                return Optional.empty();
            }
            for (int j = entries.size() - 1; j >= 0; j--) {
                Optional<IpAddress> address = address(entries.get(j));
                if (address.isEmpty() || ++hops > MOST_HOPS) {
                    return Optional.empty();
                }
                if (!trusts(address.get())) {
                    return address;
                }
                furthest = address.get();
            }
        }
        return Optional.ofNullable(furthest);
    }

    private static List<String> plain(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    }

    /**
     * The {@code for} value of each element, unquoted, in order. An element without it, or with two, gives an entry that is no address.
     * Null if quotes do not match up.
     */
    private static @Nullable List<String> standardEntries(String line) {
        List<String> entries = new ArrayList<>();
        StringBuilder pair = new StringBuilder();
        String address = null;
        boolean quoted = false;
        for (int i = 0; i <= line.length(); i++) {
            char c = i == line.length() ? ',' : line.charAt(i);
            if (quoted) {
                if (i == line.length()) {
                    return null;
                } else if (c == '\\') {
                    if (++i == line.length()) {
                        return null;
                    }
                    pair.append(line.charAt(i));
                } else if (c == '"') {
                    quoted = false;
                } else {
                    pair.append(c);
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == ';' || c == ',') {
                String value = forValue(pair.toString().strip());
                if (value != null) {
                    address = address == null ? value : "";
                }
                pair.setLength(0);
                if (c == ',') {
                    entries.add(address == null ? "" : address);
                    address = null;
                }
            } else {
                pair.append(c);
            }
        }
        return entries;
    }

    private static @Nullable String forValue(String pair) {
        return pair.toLowerCase(Locale.ROOT).startsWith("for=") ? pair.substring(4) : null;
    }

    /** An address with or without a port; IPv6 with a port stands in brackets. */
    private static Optional<IpAddress> address(String entry) {
        if (entry.startsWith("[")) {
            int end = entry.indexOf(']');
            boolean sound = end > 0
                    && (end == entry.length() - 1 || entry.charAt(end + 1) == ':' && isPort(entry, end + 2))
                    && entry.indexOf(':') < end;
            return sound ? IpAddress.parse(entry.substring(1, end)) : Optional.empty();
        }
        int colon = entry.indexOf(':');
        if (colon > 0 && colon == entry.lastIndexOf(':') && entry.indexOf('.') > 0) {
            return isPort(entry, colon + 1) ? IpAddress.parse(entry.substring(0, colon)) : Optional.empty();
        }
        return IpAddress.parse(entry);
    }

    private static boolean isPort(String entry, int from) {
        int length = entry.length() - from;
        if (length < 1 || length > 5) {
            return false;
        }
        for (int i = from; i < entry.length(); i++) {
            if (entry.charAt(i) < '0' || entry.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
