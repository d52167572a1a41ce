package io.github.untaken.http;

import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A text, the same to everybody, including pages of other origins. Caches keep it and revalidate it by its tag. Immutable. */
final class ServedFile {
    private static final String CACHING = "max-age=3600";
    private static final String METHODS = "GET, HEAD, OPTIONS";

    private static final String SCRIPT = "untaken.js";
    private static final String SCRIPT_ENDPOINT = "%ENDPOINT%";
    private static final String OPEN_API = "/META-INF/io.github.untaken/openapi.json";
    private static final String OPEN_API_ENDPOINT = "\"/availability\": {";
    private static final String OPEN_API_SERVER = "\"url\": \"/\"";

    private static final Map<String, String> OPEN = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Access-Control-Allow-Origin", "*",
            "Cross-Origin-Resource-Policy", "cross-origin");

    private final String type;
    private final byte[] body;
    private final String tag;

    /** @param type without a charset */
    private ServedFile(String type, String text) {
        this.type = type + ";charset=UTF-8";
        this.body = text.getBytes(StandardCharsets.UTF_8);
        this.tag = '"' + digest(body) + '"';
    }

    /**
     * {@code untaken.js}, without comments and indentation, and with the endpoint's address relative to the script.
     *
     * @param path of the script within the application
     * @param endpoint its path within the application
     */
    static ServedFile script(String path, String endpoint) {
        String text = resource(SCRIPT)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .map(line -> line.replace(SCRIPT_ENDPOINT, relative(path, endpoint)))
                .collect(Collectors.joining("\n", "", "\n"));
        return new ServedFile("text/javascript", text);
    }

    /**
     * The OpenAPI description, with the path of the endpoint, and the application's address relative to the description.
     *
     * @param path of the description within the application
     * @param endpoint its path within the application
     */
    static ServedFile openApi(String path, String endpoint) {
        String application = relative(path, "/");
        String text = resource(OPEN_API)
                .replace(OPEN_API_ENDPOINT, "\"/" + encoded(endpoint.substring(1)) + "\": {")
                .replace(OPEN_API_SERVER, "\"url\": \"" + application.substring(0, application.length() - 1) + "\"");
        return new ServedFile("application/json", text);
    }

    /** A text file of this module. */
    static String resource(String name) {
        try (InputStream in = ServedFile.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A path relative to another, since neither the context path nor a proxy's prefix is known here. Percent-encoded, so that no path can
     * end a literal it is put into.
     *
     * @param from of the file that names it
     */
    static String relative(String from, String to) {
        int depth = (int) from.chars().filter(c -> c == '/').count() - 1;
        return (depth == 0 ? "./" : "../".repeat(depth)) + encoded(to.substring(1));
    }

    private static String encoded(String path) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "/-._~".indexOf(c) >= 0);
            encoded.append(
                    plain
                            ? String.valueOf(c)
                            : "%" + HexFormat.of().withUpperCase().toHexDigits(b));
        }
        return encoded.toString();
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(Arrays.copyOf(whole, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    EndpointResponse answer(CheckRequest request) {
        Map<String, String> headers = new LinkedHashMap<>(OPEN);
        switch (request.method()) {
            case "OPTIONS" -> {
                headers.put("Allow", METHODS);
                headers.put("Access-Control-Allow-Methods", METHODS);
                headers.put("Access-Control-Allow-Headers", "*");
                return new EndpointResponse(204, headers);
            }
            case "GET", "HEAD" -> {
                headers.put("ETag", tag);
                headers.put("Cache-Control", CACHING);
                if (isKnown(request.header("If-None-Match"))) {
                    return new EndpointResponse(304, headers);
                }
                headers.put("Content-Type", type);
                return new EndpointResponse(200, headers, ByteBuffer.wrap(body));
            }
            default -> {
                headers.put("Allow", METHODS);
                return new EndpointResponse(405, headers);
            }
        }
    }

    /** Proxies that compress mark the tag as weak. */
    private boolean isKnown(@Nullable String ifNoneMatch) {
        if (ifNoneMatch == null) {
            return false;
        }
        for (String known : ifNoneMatch.split(",", -1)) {
            String plain = known.strip();
            if (plain.equals("*") || plain.equals(tag) || plain.equals("W/" + tag)) {
                return true;
            }
        }
        return false;
    }
}
