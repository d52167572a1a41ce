package io.github.untaken.sample;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Talks real HTTP to a site. Thread-safe. */
public final class Client {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMinutes(1))
            .build();
    private final URI site;

    public Client(String address) {
        this.site = URI.create(address);
    }

    public record Reply(int status, String type, String body) {

        /** The first member of this name in the JSON text, without quotes; empty if there is none. */
        public String member(String name) {
            Matcher found = Pattern.compile("\"" + name + "\":(\"(?<text>[^\"]*)\"|(?<other>[^,}\\]]*))")
                    .matcher(body);
            if (!found.find()) {
                return "";
            }
            return found.group("text") == null ? found.group("other") : found.group("text");
        }

        public long number(String name) {
            return Long.parseLong(member(name));
        }
    }

    public Reply get(String path, String... headers) {
        HttpRequest.Builder request = request(path).GET();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    public Reply post(String path, String form, String... headers) {
        return withForm("POST", path, form, headers);
    }

    public Reply withForm(String method, String path, String form, String... headers) {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, BodyPublishers.ofString(form));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /** The headers of the answer to a form. */
    HttpHeaders headers(String path, String form) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        return answer(request).headers();
    }

    public Reply delete(String username) {
        return send(request("/accounts/" + coded(username)).DELETE().build());
    }

    public Reply rename(String username, String newUsername) {
        return withForm("PATCH", "/accounts/" + coded(username), "username=" + coded(newUsername));
    }

    public Reply signUp(String username) {
        return post("/signup", "username=" + coded(username));
    }

    public Reply signUp(String username, String phone) {
        return post("/signup", "username=" + coded(username) + "&phone=" + coded(phone));
    }

    /** The status the endpoint gives a user name, such as {@code available}. */
    public String check(String username) {
        Reply reply = get("/availability?username=" + coded(username));
        return reply.status() == 200 ? reply.member("status") : "HTTP " + reply.status();
    }

    public String checkPhone(String phone) {
        Reply reply = post("/availability", "phone=" + coded(phone));
        return reply.status() == 200 ? reply.member("status") : "HTTP " + reply.status();
    }

    /** Sends a request line that a well-behaved client would not, and returns the whole answer. */
    String raw(String requestLine, String body) throws IOException {
        return raw(requestLine, "localhost", "application/x-www-form-urlencoded", body);
    }

    /** Likewise, to a host of any name, with any content type. */
    String raw(String requestLine, String host, String contentType, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("localhost"), site.getPort())) {
            socket.setSoTimeout(60_000);
            byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
            String head = requestLine + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nContent-Type: "
                    + contentType + "\r\nContent-Length: " + bytes.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(bytes);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(answer);
            return answer.toString(StandardCharsets.UTF_8);
        }
    }

    static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(site.resolve(path)).timeout(Duration.ofMinutes(2));
    }

    private Reply send(HttpRequest request) {
        HttpResponse<String> response = answer(request);
        return new Reply(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
    }

    private HttpResponse<String> answer(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("no answer to " + request.method(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
