package io.github.untaken.http.address;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An IP address, read from its text form. Names are never resolved: a header with a name would make the server query the network on behalf
 * of a stranger. An IPv6 address that stands for an IPv4 one is read as that one. So one client does not count as two, nor all behind a
 * translator (NAT64) as one.
 *
 * @param bits 32 for IPv4, 128 for IPv6
 * @param high the upper 64 bits of an IPv6 address; 0 for IPv4
 * @param low the lower 64 bits, or the 32 of an IPv4 address
 */
public record IpAddress(int bits, long high, long low) {
    private static final int LONGEST_TEXT = 45;
    private static final int GROUPS = 8;
    private static final long MAPPED = 0xffffL;
    /** 64:ff9b::/96. */
    private static final long TRANSLATED = 0x0064_ff9b_0000_0000L;

    /** The address of a socket's peer, which some containers write in brackets or with a zone. */
    public static Optional<IpAddress> ofPeer(String text) {
        String address = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        int zone = address.indexOf('%');
        return parse(zone < 0 ? address : address.substring(0, zone));
    }

    /**
     * The address in a text: dotted decimal without leading zeros (some readers take those for octal), or IPv6 as in RFC 4291. Empty for
     * everything else, including a zone, a port or brackets.
     */
    static Optional<IpAddress> parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            return Optional.empty();
        }
        if (text.indexOf(':') < 0) {
            long address = dotted(text);
            return address < 0 ? Optional.empty() : Optional.of(new IpAddress(32, 0, address));
        }
        int[] groups = groups(text);
        if (groups == null) {
            return Optional.empty();
        }
        long high = join(groups, 0);
        long low = join(groups, 4);
        return Optional.of(
                standsForIpv4(high, low) ? new IpAddress(32, 0, low & 0xffff_ffffL) : new IpAddress(128, high, low));
    }

    /** Mapped or compatible (RFC 4291, 2.5.5; not {@code ::} and {@code ::1}), or of the prefix that translators share (RFC 6052, 2.1). */
    private static boolean standsForIpv4(long high, long low) {
        long before = low >>> 32;
        return high == 0 && (before == MAPPED || before == 0 && low > 1) || high == TRANSLATED && before == 0;
    }

    /**
     * The first bits of this address, the others zero.
     *
     * @param length 0 to {@link #bits}
     */
    IpAddress prefix(int length) {
        return bits == 32
                ? new IpAddress(32, 0, low & mask(length + 32))
                : new IpAddress(128, high & mask(Math.min(64, length)), low & mask(Math.max(0, length - 64)));
    }

    /**
     * The text that tells clients apart: the address itself for IPv4; for IPv6 the network of this length, since whoever has one of its
     * addresses usually has them all.
     *
     * @param ipv6PrefixLength 1 to 128
     */
    public String clientText(int ipv6PrefixLength) {
        return bits == 32 ? dots() : networkText(ipv6PrefixLength);
    }

    /**
     * The network around this address, as text.
     *
     * @param length 0 to {@link #bits}
     */
    public String networkText(int length) {
        IpAddress network = prefix(length);
        return (bits == 32 ? network.dots() : network.groups()) + '/' + length;
    }

    private String dots() {
        return (low >>> 24) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
    }

    private String groups() {
        StringBuilder text = new StringBuilder(48);
        for (int i = 0; i < GROUPS; i++) {
            int group = (int) ((i < 4 ? high : low) >>> (3 - i % 4) * 16) & 0xffff;
            if (i > 0) {
                text.append(':');
            }
            for (int shift = group == 0 ? 0 : (31 - Integer.numberOfLeadingZeros(group)) & ~3; shift >= 0; shift -= 4) {
                text.append(Character.forDigit(group >>> shift & 15, 16));
            }
        }
        return text.toString();
    }

    /** A mask of so many leading bits. */
    private static long mask(int length) {
        return length <= 0 ? 0 : -1L << 64 - length;
    }

    private static long dotted(String text) {
        long address = 0;
        int parts = 0;
        int at = 0;
        while (at <= text.length()) {
            int dot = text.indexOf('.', at);
            int end = dot < 0 ? text.length() : dot;
            int part = number(text, at, end);
            if (part < 0) {
                return -1;
            }
            address = address << 8 | part;
            parts++;
            at = end + 1;
        }
        return parts == 4 ? address : -1;
    }

    private static int number(String text, int from, int to) {
        int length = to - from;
        if (length < 1 || length > 3 || length > 1 && text.charAt(from) == '0') {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value <= 255 ? value : -1;
    }

    /** The eight groups, or null if this is no IPv6 address. */
    private static int @Nullable [] groups(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return null;
        }
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            return fill(text, groups) == GROUPS ? groups : null;
        }
        int[] tail = new int[GROUPS];
        int before = gap == 0 ? 0 : fill(text.substring(0, gap), groups);
        int after = gap + 2 == text.length() ? 0 : fill(text.substring(gap + 2), tail);
        if (before < 0 || after < 0 || before + after >= GROUPS || hasDots(text, gap)) {
            return null;
        }
        System.arraycopy(tail, 0, groups, GROUPS - after, after);
        return groups;
    }

    /** Only the last group may be written in dots. */
    private static boolean hasDots(String text, int before) {
        int dot = text.indexOf('.');
        return dot >= 0 && dot < before;
    }

    /** Puts the groups of a text without {@code ::} into the array. Returns how many there were, or -1. */
    private static int fill(String text, int[] groups) {
        int count = 0;
        int at = 0;
        while (at <= text.length()) {
            int colon = text.indexOf(':', at);
            int end = colon < 0 ? text.length() : colon;
            if (colon < 0 && text.indexOf('.', at) >= 0) {
                long last = dotted(text.substring(at));
                if (last < 0 || count + 2 > GROUPS) {
                    return -1;
                }
                groups[count++] = (int) (last >>> 16);
                groups[count++] = (int) (last & 0xffff);
            } else {
                int group = group(text, at, end);
                if (group < 0 || count == GROUPS) {
                    return -1;
                }
                groups[count++] = group;
            }
            at = end + 1;
        }
        return count;
    }

    private static int group(String text, int from, int to) {
        if (to - from < 1 || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static long join(int[] groups, int from) {
        return (long) groups[from] << 48
                | (long) groups[from + 1] << 32
                | (long) groups[from + 2] << 16
                | groups[from + 3];
    }
}
