package io.github.untaken.cluster.mysql;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the server is: for a driver, and for whoever reads the log, who knows no driver.
 *
 * @param url as the driver has it
 * @param parameters of the URL
 */
record Address(String url, String host, int port, Map<String, String> parameters) {
    private static final int PORT = 3306;

    private static final Pattern URL =
            Pattern.compile("jdbc:(mysql|mariadb)://(\\[[0-9A-Fa-f:.%]+\\]|[^/:,?#()@\\[\\]]+)(?::(\\d{1,5}))?"
                    + "(?:/[^?]*)?(?:\\?(.*))?");

    /** @throws IllegalArgumentException if it is none of one server */
    static Address of(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("the address of a feed must name one server, as in"
                    + " jdbc:mysql://primary:3306/app or jdbc:mariadb://primary:3306/app; a list of servers, or another"
                    + " form of an address, does not say whose log is to be read");
        }
        String host = parts.group(2);
        return new Address(
                url,
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                parts.group(3) == null ? PORT : Integer.parseInt(parts.group(3)),
                parameters(parts.group(4) == null ? "" : parts.group(4)));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
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

    /** What a driver would take for that setting; empty if nobody has said so. */
    String setting(String name, Properties properties) {
        String given = parameters.get(name);
        return given == null ? properties.getProperty(name, "") : given;
    }

    /** As the driver of that address would do it. */
    SSLMode tls(Properties properties) {
        String mode = setting("sslMode", properties).toLowerCase(Locale.ROOT).replace('-', '_');
        return switch (mode) {
            case "disable", "disabled" -> SSLMode.DISABLED;
            case "trust", "required" -> SSLMode.REQUIRED;
            case "verify_ca" -> SSLMode.VERIFY_CA;
            case "verify_full", "verify_identity" -> SSLMode.VERIFY_IDENTITY;
            case "preferred" -> SSLMode.PREFERRED;
            default -> unsaid(setting("useSSL", properties));
        };
    }

    private SSLMode unsaid(String useSsl) {
        if (url.startsWith("jdbc:mariadb:")) {
            return useSsl.equals("true") ? SSLMode.VERIFY_IDENTITY : SSLMode.DISABLED;
        }
        return useSsl.equals("false") ? SSLMode.DISABLED : SSLMode.PREFERRED;
    }

    /** Without the parameters, which may hold a password. */
    @Override
    public String toString() {
        return host + ':' + port;
    }
}
