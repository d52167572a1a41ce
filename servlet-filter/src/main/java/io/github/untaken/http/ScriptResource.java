package io.github.untaken.http;

import java.util.stream.Collectors;

/** {@code untaken.js} as served: without comments and indentation, and with the endpoint's address relative to the script. */
final class ScriptResource {
    private static final String FILE = "untaken.js";
    private static final String PLACEHOLDER = "%ENDPOINT%";

    private ScriptResource() {}

    /**
     * The script.
     *
     * @param path of the script within the application
     * @param endpoint its path within the application
     */
    static ServedFile at(String path, String endpoint) {
        String text = ServedFile.resource(FILE)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .map(line -> line.replace(PLACEHOLDER, ServedFile.relative(path, endpoint)))
                .collect(Collectors.joining("\n", "", "\n"));
        return new ServedFile(path, "text/javascript", text);
    }
}
