package io.github.untaken.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * One page for all nodes, on loopback: what each answers by, how old its news are, what it says of a name, and buttons that let it
 * stand still, kill it and start it anew.
 */
final class ClusterPage implements AutoCloseable {
    /** Longer than a node takes that is well; one that stands still shall not hold up the others for long. */
    private static final Duration PATIENCE = Duration.ofMillis(800);

    private static final Map<String, String> FILES = Map.of(
            "/", "nodes.html",
            "/nodes.css", "nodes.css",
            "/nodes.js", "nodes.js");
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");
    private static final String POLICY = "script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'";

    private final Cluster cluster;
    private final boolean buttons;
    private final Set<String> paused = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "page");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer server;

    /** @param buttons whether people may break nodes, or a script does */
    ClusterPage(Cluster cluster, boolean buttons) throws IOException {
        this.cluster = cluster;
        this.buttons = buttons;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    private record Answer(int status, String type, String body) {
        static Answer json(int status, String body) {
            return new Answer(status, "application/json", body);
        }

        static Answer problem(int status, String what) {
            return json(status, "{\"problem\":" + quoted(what) + "}");
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        Answer answer;
        try {
            answer = answerTo(exchange);
        } catch (NodeServer.TooLongException e) {
            answer = Answer.problem(413, "This is longer than any form of this page");
        } catch (NodeServer.MalformedException | NumberFormatException e) {
            answer = Answer.problem(400, "This is no form of this page");
        } catch (RuntimeException | IOException e) {
            answer = Answer.problem(503, "The node does not answer");
        }
        BrowserGuard.describe(exchange, answer.type(), POLICY);
        byte[] body = answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private Answer answerTo(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String file = FILES.get(path);
        boolean reads = exchange.getRequestMethod().equals("GET");
        if (reads && file != null) {
            return file(file);
        }
        if (reads && path.equals("/nodes")) {
            return Answer.json(200, nodes(NodeServer.form(exchange).getOrDefault("username", "")));
        }
        if (reads || !path.startsWith("/actions/")) {
            return Answer.problem(404, "There is nothing here");
        }
        Optional<BrowserGuard.Refusal> refusal = BrowserGuard.refusal(exchange);
        if (refusal.isPresent()) {
            return Answer.problem(refusal.get().status(), refusal.get().why());
        }
        Map<String, String> form = NodeServer.form(exchange);
        return buttons
                ? act(path.substring("/actions/".length()), form)
                : Answer.problem(409, "A script breaks the nodes; look on");
    }

    private static Answer file(String name) throws IOException {
        try (InputStream in = ClusterPage.class.getResourceAsStream(name)) {
            if (in == null) {
                return Answer.problem(404, "The jar has no " + name);
            }
            String type = TYPES.getOrDefault(name.substring(name.indexOf('.') + 1), "text/plain");
            return new Answer(200, type + ";charset=utf-8", new String(in.readAllBytes(), UTF_8));
        }
    }

    // One at a time: two restarts of one node would leave one of them behind.
    private synchronized Answer act(String action, Map<String, String> form) throws IOException {
        int index = Integer.parseInt(form.getOrDefault("node", "-1"));
        if (index < 0 || index >= cluster.nodes().size()) {
            return Answer.problem(400, "There is no such node");
        }
        NodeProcess node = cluster.node(index);
        String name = node.options().name();
        switch (action) {
            case "pause" -> {
                paused.add(name);
                node.pause();
            }
            case "resume" -> {
                node.resume();
                paused.remove(name);
            }
            case "kill" -> {
                node.kill();
                paused.remove(name);
            }
            case "start" -> {
                if (!node.isAlive()) {
                    cluster.restart(index);
                }
            }
            case "signup" -> {
                String username = form.getOrDefault("username", "");
                try (NodeClient client = new NodeClient(node.port(), Duration.ofSeconds(5))) {
                    String said = client.post("/signup", "username=" + NodeClient.coded(username))
                            .body();
                    return said.equals("DONE")
                            ? Answer.json(200, "{}")
                            : Answer.problem(409, "Not registered: somebody has it, or the database does not answer");
                }
            }
            default -> {
                return Answer.problem(404, "There is nothing here");
            }
        }
        return Answer.json(200, "{}");
    }

    /** All nodes at one moment, and what they say of a name. */
    private String nodes(String username) {
        List<CompletableFuture<String>> asked = new ArrayList<>();
        for (NodeProcess node : cluster.nodes()) {
            asked.add(CompletableFuture.supplyAsync(() -> node(node, username), threads));
        }
        return asked.stream()
                .map(CompletableFuture::join)
                .collect(Collectors.joining(
                        ",",
                        "{\"buttons\":" + buttons + ",\"bound\":"
                                + cluster.bound().toMillis() + ",\"nodes\":[",
                        "]}"));
    }

    private String node(NodeProcess node, String username) {
        String name = node.options().name();
        String head =
                "{\"name\":" + quoted(name) + ",\"alive\":" + node.isAlive() + ",\"paused\":" + paused.contains(name);
        try (NodeClient client = new NodeClient(node.port(), PATIENCE)) {
            NodeStats stats = new NodeStats(client.get("/stats").body());
            String says = username.isEmpty()
                    ? ""
                    : client.get("/check?modes=bounded&username=" + NodeClient.coded(username))
                            .body();
            return head + ",\"answers\":true,\"memory\":" + stats.ready() + ",\"mode\":" + quoted(stats.mode())
                    + ",\"age\":"
                    + stats.leaseMillis() + ",\"gaps\":" + stats.gaps() + ",\"gapsBy\":" + quoted(stats.gapsBy())
                    + ",\"told\":" + stats.told() + ",\"checks\":"
                    + stats.checks() + ",\"reads\":" + stats.storeReads() + ",\"reason\":" + quoted(stats.reason())
                    + ",\"says\":" + quoted(says.replace("bounded=", "")) + "}";
        } catch (IOException | RuntimeException e) {
            return head + ",\"answers\":false}";
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                quoted.append(c < ' ' ? ' ' : c);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
