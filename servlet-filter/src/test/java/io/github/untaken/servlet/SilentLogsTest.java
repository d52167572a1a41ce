package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is asked or signed up, right or wrong: no identifier in a log line, on the console or in a thread's name. */
class SilentLogsTest {
    private static final List<String> NAMES = List.of(
            "Quixotic-Zebra", "\u7384\u5b57\u7530\u95f2", "qz%ED%A0%80vector", "quixotic zebra!", "8613700137999");

    /**
     * They write request lines and parameters that they cannot read into the log, before any filter could prevent it. Whoever
     * runs Tomcat sets them to WARNING.
     */
    private static final List<String> TOMCATS_PARSERS =
            List.of("org.apache.coyote.http11.", "org.apache.tomcat.util.http.Parameters");

    private static final String HOSTILE = "vexing-okapi";

    private final StringBuffer heard = new StringBuffer();

    private final Handler capture = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
            String logger = String.valueOf(record.getLoggerName());
            if (TOMCATS_PARSERS.stream().noneMatch(logger::startsWith)) {
                heard.append(formatter.format(record));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private static List<String> encodings(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return List.of(
                name,
                URLEncoder.encode(name, StandardCharsets.UTF_8),
                Base64.getEncoder().withoutPadding().encodeToString(utf8),
                HexFormat.of().formatHex(utf8));
    }

    private static void drive(Container.Running server, String raw) throws Exception {
        for (String field : List.of("username", "phone")) {
            for (String suffix : List.of("", "&" + field + "=" + raw, "%00", "%zz", "x".repeat(300))) {
                String form = field + "=" + raw + suffix;
                for (String method : List.of("GET", "HEAD", "PUT", "OPTIONS")) {
                    RawHttp.send(server.port(), method, "/app/availability?" + form);
                }
                for (String path : List.of("/availability", "/plain/accounts", "/marked/accounts", "/told/accounts")) {
                    for (String more : List.of("", "&rollback=1", "&status=500")) {
                        RawHttp.send(
                                server.port(),
                                "POST /app" + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type:"
                                        + " application/x-www-form-urlencoded\r\nContent-Length: "
                                        + (form.length() + more.length()) + "\r\n\r\n" + form + more);
                    }
                }
            }
        }
        RawHttp.send(server.port(), "DELETE", "/app/plain/" + raw);
    }

    /** Everything hostile, about a name that occurs nowhere else. */
    private static void driveHostile(Container.Running server) throws Exception {
        for (HostileRequests.Hostile request : HostileRequests.both()) {
            String text = new String(request.http1(), StandardCharsets.ISO_8859_1);
            byte[] marked =
                    text.replace("bob", HOSTILE).replace("alice", HOSTILE).getBytes(StandardCharsets.ISO_8859_1);
            RawHttp.sendAnything(server.port(), marked);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noIdentifierIsEverHeard(Container container) throws Exception {
        Logger root = Logger.getLogger("");
        Logger ours = Logger.getLogger("io.github.untaken");
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        List<String> threads = new ArrayList<>();
        capture.setLevel(Level.ALL);
        root.addHandler(capture);
        ours.setLevel(Level.FINEST);
        System.setOut(new PrintStream(console, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(console, true, StandardCharsets.UTF_8));
        try (UserTable users = new UserTable("alice");
                UserTable phones = new UserTable();
                AvailabilityChecker checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                        .store(USERNAME, users)
                        .store(PHONE, phones)
                        .normalizer(PHONE, new Digits()))) {
            AvailabilityServletFilter filter = new AvailabilityServletFilter(
                    checker,
                    EndpointSettings.builder()
                            .limiter(ClientLimiter.unlimited())
                            .gate(RequestGate.allowAll())
                            .listener(new EndpointListener() {
                                @Override
                                public void answered(IdentifierKind kind, Verdict.Status status) {
                                    heard.append(kind).append(status);
                                }

                                @Override
                                public void refused(int status, String problem) {
                                    heard.append(status).append(problem);
                                }

                                @Override
                                public void sweepSuspected(IdentifierKind kind, long answers, long taken) {
                                    heard.append(kind).append(answers).append(taken);
                                }
                            })
                            .sweepAlarm(2, 0.2, Duration.ofNanos(1))
                            .watch(WatchRule.on("POST", "/plain/accounts")
                                    .registers(USERNAME)
                                    .fromParameter("username"))
                            .watch(WatchRule.on("DELETE", "/plain/{name}")
                                    .registers(USERNAME)
                                    .fromPath("name"))
                            .build());
            try (Container.Running server = container.start(context -> {
                Container.everywhere(context, "availability", filter);
                new JdbcAccounts(users, checker).install(context);
            })) {
                for (String name : container == Container.JETTY ? NAMES : NAMES.subList(0, 1)) {
                    drive(server, name.contains("%") ? name : URLEncoder.encode(name, StandardCharsets.UTF_8));
                    Thread.getAllStackTraces().keySet().forEach(thread -> threads.add(thread.getName()));
                }
                driveHostile(server);
                Thread.getAllStackTraces().keySet().forEach(thread -> threads.add(thread.getName()));
                heard.append(checker.stats(USERNAME))
                        .append(checker.stats(PHONE))
                        .append(filter);
                users.close();
                drive(server, URLEncoder.encode(NAMES.get(0), StandardCharsets.UTF_8));
            }
            new FaultLog("io.github.untaken.servlet").say(System.Logger.Level.TRACE, "the capture works");
            Eventually.holds("all was said until then", () -> heard.indexOf("the capture works") >= 0);
        } finally {
            System.setOut(out);
            System.setErr(err);
            root.removeHandler(capture);
            ours.setLevel(null);
        }
        String everything = heard + console.toString(StandardCharsets.UTF_8) + threads;
        assertThat(everything).contains("the capture works").contains("/app");
        for (String name : NAMES) {
            for (String encoded : encodings(name)) {
                assertThat(everything.contains(encoded)).as("found " + encoded).isFalse();
            }
            assertThat(everything).doesNotContainIgnoringCase("quixotic");
        }
        for (String encoded : encodings(HOSTILE)) {
            assertThat(everything.contains(encoded)).as("found " + encoded).isFalse();
        }
    }
}
