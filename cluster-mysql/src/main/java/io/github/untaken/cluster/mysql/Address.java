package io.github.untaken.cluster.mysql;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the server is, for a driver and for the reader of the log, which uses none.
 *
 * @param url as the driver has it
 * @param parameters of the URL; the case of their names does not matter
 */
record Address(String url, String host, int port, Map<String, String> parameters) {
    private static final int PORT = 3306;

    private static final Pattern URL =
            Pattern.compile("jdbc:(mysql|mariadb)://(\\[[0-9A-Fa-f:.%]+\\]|[^/:,?#()@\\[\\]]+)(?::(\\d{1,5}))?"
                    + "(?:/[^?]*)?(?:\\?(.*))?");

    /** @throws IllegalArgumentException if it is not the URL of one server */
    static Address of(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("the address of a feed must name one server, as in"
                    + " jdbc:mysql://primary:3306/app or jdbc:mariadb://primary:3306/app; a list of servers, or"
                    + " another form, does not say whose log to read");
        }
        String host = parts.group(2);
        return new Address(
                url,
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                parts.group(3) == null ? PORT : Integer.parseInt(parts.group(3)),
                parameters(parts.group(4) == null ? "" : parts.group(4)));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                parameters.put(decoded(each.substring(0, equals)), decoded(each.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The value that a driver would use for that setting; empty if it is not set. */
    String setting(String name, Properties properties) {
        String given = parameters.get(name);
        return given != null
                ? given
                : properties.stringPropertyNames().stream()
                        .filter(name::equalsIgnoreCase)
                        .findFirst()
                        .map(properties::getProperty)
                        .orElse("");
    }

    boolean isMariaDb() {
        return url.startsWith("jdbc:mariadb:");
    }

    /** Without the parameters, which may hold a password. */
    @Override
    public String toString() {
        return host + ':' + port;
    }
}
