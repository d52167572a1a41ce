package io.github.untaken.http;

/**
 * A network around a client, all of whose addresses may belong to one person.
 *
 * @param value such as {@code 203.0.113.0/24} or {@code 2001:db8:1:0:0:0:0:0/48}
 * @param clients for how many clients its addresses together count, 1 to 1,000
 */
public record ClientNetwork(String value, int clients) {}
