package io.github.untaken.nodes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a node's process is told on its command line, as {@code name=value}.
 *
 * @param name in the names of its replication slots
 * @param databasePort of the database's pool, on loopback
 * @param feedPort of the database, as the feed reaches it; another one if something stands between
 * @param bound how old its news may be
 * @param snapshots the folder in which it keeps what serves, for a restart without a scan; empty: it does not
 */
record NodeOptions(String name, int databasePort, int feedPort, Duration bound, String snapshots) {

    NodeOptions(String name, int databasePort, int feedPort, Duration bound) {
        this(name, databasePort, feedPort, bound, "");
    }

    NodeOptions withSnapshots(Path folder) {
        return new NodeOptions(name, databasePort, feedPort, bound, folder.toString());
    }

    static NodeOptions parse(List<String> arguments) {
        Map<String, String> given = arguments.stream()
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        return new NodeOptions(
                given.getOrDefault("name", "node"),
                Integer.parseInt(given.getOrDefault("database", "5432")),
                Integer.parseInt(given.getOrDefault("feed", given.getOrDefault("database", "5432"))),
                Duration.ofMillis(Long.parseLong(given.getOrDefault("bound", "1000"))),
                given.getOrDefault("snapshots", ""));
    }

    List<String> arguments() {
        return List.of(
                "name=" + name,
                "database=" + databasePort,
                "feed=" + feedPort,
                "bound=" + bound.toMillis(),
                "snapshots=" + snapshots);
    }

    String databaseUrl() {
        return Database.CHOSEN.url(databasePort);
    }

    String feedUrl() {
        return Database.CHOSEN.url(feedPort);
    }
}
