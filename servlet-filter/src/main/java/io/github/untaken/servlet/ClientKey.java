package io.github.untaken.servlet;

/**
 * Whom a {@link ClientLimiter} holds responsible for a request.
 *
 * @param value an IPv4 address; or an IPv6 network such as {@code 2001:db8:0:1:0:0:0:0/64}, since whoever has one address of
 *     it usually has them all. It is that of the socket's other end, or, where that is a configured proxy, what the proxy's
 *     header says. An address the container states in some other form stands as it is
 */
public record ClientKey(String value) {}
