package io.github.untaken.http;

/** The OpenAPI description as served: with the path of the endpoint, and the application's address relative to the description. */
final class OpenApiResource {
    private static final String FILE = "/META-INF/io.github.untaken/openapi.json";
    private static final String ENDPOINT = "\"/availability\": {";
    private static final String SERVER = "\"url\": \"/\"";

    private OpenApiResource() {}

    /**
     * The description.
     *
     * @param path of the description within the application
     * @param endpoint its path within the application
     */
    static ServedFile at(String path, String endpoint) {
        String application = ServedFile.relative(path, "/");
        String text = ServedFile.resource(FILE)
                .replace(ENDPOINT, "\"/" + ServedFile.encoded(endpoint.substring(1)) + "\": {")
                .replace(SERVER, "\"url\": \"" + application.substring(0, application.length() - 1) + "\"");
        return new ServedFile(path, "application/json", text);
    }
}
