package io.github.untaken.http;

/**
 * A network around a client, whose addresses may all belong to one person.
 *
 * @param value such as {@code 203.0.113.0/24} or {@code 2001:db8:1:0:0:0:0:0/48}
 * @param clients how many clients its addresses together count as, 1 to 1,000
 */
public record ClientNetwork(String value, int clients) {}
