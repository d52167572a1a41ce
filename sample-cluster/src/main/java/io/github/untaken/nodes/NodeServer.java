package io.github.untaken.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A node's HTTP side, on loopback: short answers in plain text, and one page for people. */
final class NodeServer implements AutoCloseable {
    private static final String TEXT = "text/plain;charset=utf-8";
    private static final String PAGE = "text/html;charset=utf-8";
    private static final int LONGEST_BODY = 64 * 1024;

    private final String name;
    private final AvailabilityChecker checker;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    NodeServer(String name, AvailabilityChecker checker, Accounts accounts) throws IOException {
        this.name = name;
        this.checker = checker;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        serve("/check", TEXT, this::check);
        serve("/free", TEXT, this::free);
        serveWrites("/signup", form -> changed(accounts.register(username(form))));
        serveWrites("/rename", form -> changed(accounts.rename(username(form), form.getOrDefault("to", ""))));
        serveWrites("/delete", form -> changed(accounts.delete(username(form))));
        serve("/stats", TEXT, form -> NodeStats.of(stats()).line());
        serve("/", PAGE, form -> page());
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private interface Handler {
        String answer(Map<String, String> form) throws IOException;
    }

    /** What does not write: the type belongs to the path, whatever the answer looks like. */
    private void serve(String path, String type, Handler handler) {
        server.createContext(path, exchange -> {
            if (exchange.getRequestURI().getPath().equals(path)) {
                answer(exchange, type, handler);
            } else {
                send(exchange, 404, TEXT, "There is nothing here");
            }
        });
    }

    private void serveWrites(String path, Handler handler) {
        server.createContext(path, exchange -> {
            Optional<BrowserGuard.Refusal> refusal = BrowserGuard.refusal(exchange);
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                send(exchange, 405, TEXT, "This writes; send it by POST");
            } else if (refusal.isPresent()) {
                send(exchange, refusal.get().status(), TEXT, refusal.get().why());
            } else {
                answer(exchange, TEXT, handler);
            }
        });
    }

    private static void answer(HttpExchange exchange, String type, Handler handler) throws IOException {
        String answer;
        try {
            answer = handler.answer(form(exchange));
        } catch (TooLongException e) {
            send(exchange, 413, TEXT, "The body has more than " + LONGEST_BODY + " bytes; send less at once");
            return;
        } catch (MalformedException e) {
            send(exchange, 400, TEXT, "A percent sign must be followed by two hexadecimal digits; write it as %25");
            return;
        } catch (RuntimeException e) {
            send(exchange, 503, TEXT, e.getClass().getName()); // its message may quote a name
            return;
        }
        send(exchange, 200, type, answer);
    }

    private static void send(HttpExchange exchange, int status, String type, String answer) throws IOException {
        byte[] bytes = answer.getBytes(UTF_8);
        BrowserGuard.describe(exchange, type, "form-action 'self'");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** A body that no page and no script of ours sends. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** A form that no browser sends. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Query and body alike. */
    static Map<String, String> form(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (body.length > LONGEST_BODY) {
            throw new TooLongException();
        }
        Map<String, String> form = new HashMap<>();
        for (String pair : ((query == null ? "" : query) + '&' + new String(body, UTF_8)).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
            }
        }
        return form;
    }

    private static String decoded(String value) throws MalformedException {
        try {
            return URLDecoder.decode(value, UTF_8);
        } catch (IllegalArgumentException e) {
            throw new MalformedException();
        }
    }

    private static String username(Map<String, String> form) {
        return form.getOrDefault("username", "");
    }

    /** The answers of the modes that are asked for, in their order. */
    private String check(Map<String, String> form) {
        return Stream.of(form.getOrDefault("modes", "bounded,latest").split(",", -1))
                .map(mode -> mode + '=' + answer(mode, username(form)))
                .collect(Collectors.joining(" "));
    }

    private String answer(String mode, String username) {
        Verdict verdict = mode.equals("latest")
                ? checker.latest(IdentifierKind.USERNAME, username)
                : checker.check(IdentifierKind.USERNAME, username);
        return verdict.status() + "/" + verdict.decidedBy();
    }

    /** Those of many names that are called available in latest mode; ? for each that nobody could tell. */
    private String free(Map<String, String> form) {
        return Stream.of(form.getOrDefault("names", "").split(",", -1))
                .map(name -> checker.latest(IdentifierKind.USERNAME, name))
                .filter(verdict -> verdict.available() || verdict.status() == Verdict.Status.UNKNOWN)
                .map(verdict -> verdict.available() ? verdict.key() : "?")
                .collect(Collectors.joining(","));
    }

    private static String changed(Accounts.Outcome outcome) {
        return outcome.name();
    }

    private KindStats stats() {
        return checker.stats(IdentifierKind.USERNAME);
    }

    private String page() {
        return String.format(Locale.ROOT, """
                <!doctype html><title>Node %1$s</title><h1>Node %1$s</h1>
                <form action="/signup" method="post"><input name="username" aria-label="user name"><button>Sign up</button></form>
                <form action="/check"><input name="username" aria-label="user name"><button>Is it free?</button></form>
                <p>%2$s</p>
                """, name, NodeStats.of(stats()).line());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
