package io.github.untaken.http.address;

/**
 * A network of IP addresses, such as {@code 10.0.0.0/8} or a single address. Immutable.
 *
 * @param first its first address
 * @param length how many leading bits its addresses share
 */
public record IpNetwork(IpAddress first, int length) {

    /**
     * Reads {@code address} or {@code address/length}.
     *
     * @throws IllegalArgumentException if the text is neither, or the address has bits beyond the length
     */
    public static IpNetwork parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address =
                IpAddress.parse(slash < 0 ? text : text.substring(0, slash)).orElseThrow(() -> malformed(text));
        int length = slash < 0 ? address.bits() : length(text, slash + 1);
        if (length > address.bits() || !address.prefix(length).equals(address)) {
            throw malformed(text);
        }
        return new IpNetwork(address, length);
    }

    boolean contains(IpAddress address) {
        return address.bits() == first.bits() && address.prefix(length).equals(first);
    }

    private static int length(String text, int from) {
        String digits = text.substring(from);
        if (!digits.matches("[0-9]{1,3}")) {
            throw malformed(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("a network must be an IP address or address/length with no bits set beyond"
                + " the length, such as 10.0.0.0/8 or 2001:db8::/32, but was '" + text + "'");
    }
}
