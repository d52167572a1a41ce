package io.github.untaken.sample.pages;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes answers as UTF-8 bytes with a length, never to be kept by a cache. */
final class Replies {
    private Replies() {}

    static void json(HttpServletResponse response, int status, Object body) throws IOException {
        bytes(response, status, "application/json", Json.text(body));
    }

    static void html(HttpServletResponse response, int status, String page) throws IOException {
        bytes(response, status, "text/html;charset=utf-8", page);
    }

    /**
     * A problem (RFC 9457).
     *
     * @param field the field it is about
     * @param reason a stable code
     */
    static void problem(
            HttpServletResponse response, int status, String title, @Nullable String field, @Nullable String reason)
            throws IOException {
        problem(response, status, title, field, reason, Map.of());
    }

    /** What was wrong with a request, and the limits it did not keep. */
    static void refused(HttpServletResponse response, String title, BadRequestException e) throws IOException {
        problem(response, e.status(), title, e.field(), e.reason(), e.limits());
    }

    private static void problem(
            HttpServletResponse response,
            int status,
            String title,
            @Nullable String field,
            @Nullable String reason,
            Map<String, ?> more)
            throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "about:blank");
        body.put("title", title);
        body.put("status", status);
        if (field != null) {
            body.put("field", field);
        }
        if (reason != null) {
            body.put("reason", reason);
        }
        body.putAll(more);
        bytes(response, status, "application/problem+json", Json.text(body));
    }

    /** The database did not answer, or nobody knows what it did. */
    static void busy(HttpServletResponse response) throws IOException {
        response.setIntHeader("Retry-After", 1);
        problem(response, 503, "The database did not answer; look whether it was done, then try again", null, "busy");
    }

    static void methodNotAllowed(HttpServletResponse response, String allowed) throws IOException {
        response.setHeader("Allow", allowed);
        problem(response, 405, "Method not allowed", null, null);
    }

    /** A file for people to keep. */
    static void download(HttpServletResponse response, String type, String name, String body) throws IOException {
        response.setHeader("Content-Disposition", "attachment; filename=\"" + name + "\"");
        bytes(response, HttpServletResponse.SC_OK, type, body);
    }

    private static void bytes(HttpServletResponse response, int status, String type, String body) throws IOException {
        byte[] utf8 = body.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(utf8.length);
        response.getOutputStream().write(utf8);
    }
}
