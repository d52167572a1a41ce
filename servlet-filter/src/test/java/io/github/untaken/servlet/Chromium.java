package io.github.untaken.servlet;

import io.github.untaken.testkit.Eventually;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, driven through the DevTools protocol. The system property {@code untaken.browser} says
 * where it is, else the PATH is searched.
 */
final class Chromium implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;
    private static final String ANNOUNCES = "DevTools listening on ";

    private final Process process;
    private final Path profile;
    private WebSocket socket;
    private final Map<Integer, CompletableFuture<String>> replies = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private String session;

    /** Where the browser is, if there is one. */
    static Optional<Path> find() {
        String given = System.getProperty("untaken.browser", "");
        if (!given.isEmpty()) {
            return Optional.of(Path.of(given));
        }
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(Path.of(directory)::resolve))
                .filter(Files::isExecutable)
                .findFirst();
    }

    Chromium(Path browser) throws Exception {
        profile = Files.createTempDirectory("chromium");
        process = new ProcessBuilder(
                        browser.toString(),
                        "--headless=new",
                        // Chromium does not start as root otherwise; it only visits pages of ours.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        try {
            socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(debugger(), new Receiver())
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Object target =
                    send("", "Target.createTarget", "{\"url\":\"about:blank\"}").get("targetId");
            session = (String) send("", "Target.attachToTarget", "{\"flatten\":true,\"targetId\":\"" + target + "\"}")
                    .get("sessionId");
            send("Page.enable", "{}");
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private URI debugger() throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(ANNOUNCES)) {
                Thread drain = new Thread(() -> output.lines().forEach(unread -> {}), "chromium output");
                drain.setDaemon(true);
                drain.start();
                return URI.create(line.substring(ANNOUNCES.length()).strip());
            }
        }
        throw new IllegalStateException("the browser ended before it listened");
    }

    /** Replies complete who waits for them; events are ignored. */
    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                String text = message.toString();
                message.setLength(0);
                if (text.startsWith("{\"id\":")) {
                    int id = Integer.parseInt(text.substring(6, text.indexOf(',')));
                    CompletableFuture<String> reply = replies.remove(id);
                    if (reply != null) {
                        reply.complete(text);
                    }
                }
            }
            from.request(1);
            return null;
        }
    }

    Map<?, ?> send(String method, String parameters) throws Exception {
        return send(",\"sessionId\":\"" + session + "\"", method, parameters);
    }

    private Map<?, ?> send(String to, String method, String parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<String> reply = new CompletableFuture<>();
        replies.put(id, reply);
        socket.sendText("{\"id\":" + id + to + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        String text = reply.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!text.contains("\"result\":")) {
            throw new IllegalStateException(method + " was refused: " + text);
        }
        return (Map<?, ?>) Json.object(text).get("result");
    }

    /** Opens a page and waits until it is there. */
    void open(URI page) throws Exception {
        send("Page.navigate", "{\"url\":\"" + page + "\"}");
        Eventually.holds(
                page + " is loaded",
                () -> evaluate("document.readyState + ' ' + location.href").equals("complete " + page));
    }

    /** What an expression is, as text. */
    String evaluate(String expression) {
        try {
            Map<?, ?> result = send(
                    "Runtime.evaluate",
                    "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":"
                            + quoted("String(" + expression + ")") + "}");
            Object value = ((Map<?, ?>) result.get("result")).get("value");
            return String.valueOf(value);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Types into whatever has the focus. */
    void type(String text) throws Exception {
        send("Input.insertText", "{\"text\":" + quoted(text) + "}");
    }

    void pressEnter() throws Exception {
        String key = "\"key\":\"Enter\",\"code\":\"Enter\",\"windowsVirtualKeyCode\":13";
        send("Input.dispatchKeyEvent", "{\"type\":\"keyDown\",\"text\":\"\\r\"," + key + "}");
        send("Input.dispatchKeyEvent", "{\"type\":\"keyUp\"," + key + "}");
    }

    void screenshot(Path into) throws Exception {
        Files.write(into, Base64.getDecoder().decode((String)
                send("Page.captureScreenshot", "{}").get("data")));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            quoted.append(
                    c < 0x20 || c > 0x7e || c == '"' || c == '\\'
                            ? String.format("\\u%04x", (int) c)
                            : String.valueOf(c));
        }
        return quoted.append('"').toString();
    }

    /** Ends the browser with all its processes. */
    @Override
    public void close() throws Exception {
        if (socket != null) {
            socket.abort();
        }
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        for (ProcessHandle child : children) {
            child.destroyForcibly();
            child.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
