package io.github.untaken.benchmarks.shared;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** How many commands a Redis has executed, but for those that ask it this. */
final class RedisCalls {
    private static final Pattern CALLS = Pattern.compile("cmdstat_(?!info|ping)[a-z|]+:calls=(\\d+)");

    private RedisCalls() {}

    static long of(int port) throws IOException {
        try (Socket asked = new Socket(InetAddress.getLoopbackAddress(), port)) {
            asked.getOutputStream().write("INFO commandstats\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return CALLS.matcher(said)
                    .results()
                    .mapToLong((MatchResult calls) -> Long.parseLong(calls.group(1)))
                    .sum();
        }
    }
}
