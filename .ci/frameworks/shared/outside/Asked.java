package outside;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A site that is asked while people sign up: nobody who has an account is ever called free. */
final class Asked {
    private static final int ASKERS = 3;
    private static final Pattern LENGTH = Pattern.compile("(?i)\\r\\ncontent-length: (\\d+)\\r\\n");

    private final int port;
    private final AvailabilityChecker checker;
    private final AtomicInteger clients = new AtomicInteger();

    Asked(int port, AvailabilityChecker checker) {
        this.port = port;
        this.checker = checker;
    }

    void signsUpThirtyPeople() throws Exception {
        ExecutorService askers = Executors.newFixedThreadPool(ASKERS);
        try {
            for (int i = 0; i < 30; i++) {
                String name = "person" + i;
                assertEquals("available", status(name));
                AtomicBoolean acknowledged = new AtomicBoolean();
                List<CompletableFuture<Void>> asking = new ArrayList<>();
                for (int asker = 0; asker < ASKERS; asker++) {
                    asking.add(CompletableFuture.runAsync(() -> asksUntilTaken(name, acknowledged), askers));
                }
                assertTrue(signUp(name).startsWith("HTTP/1.1 201"), name);
                acknowledged.set(true);
                for (CompletableFuture<Void> each : asking) {
                    each.get(1, TimeUnit.MINUTES);
                }
            }
        } finally {
            askers.shutdownNow();
        }
        answersFreeNamesFromMemory();
        assertEquals("taken", status("PERSON7")); // one name, however it is typed
        assertTrue(!signUp("person7").startsWith("HTTP/1.1 201"), "the same name twice");
    }

    /** Until it has asked three times since the sign-up was acknowledged. */
    private void asksUntilTaken(String name, AtomicBoolean acknowledged) {
        for (int after = 0; after < 3; ) {
            boolean taken = acknowledged.get();
            String status = status(name);
            if (taken) {
                assertEquals("taken", status, name);
                after++;
            }
        }
    }

    private void answersFreeNamesFromMemory() throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (checker.state(IdentifierKind.USERNAME) != KindState.READY) {
            assertTrue(System.nanoTime() < end, checker.stats(IdentifierKind.USERNAME).reason());
            Thread.onSpinWait();
        }
        long before = decidedBy(DecidedBy.FILTER);
        for (int i = 0; i < 100; i++) {
            assertEquals("available", status("nobody" + i));
        }
        assertTrue(decidedBy(DecidedBy.FILTER) - before > 90, "names that the database was asked for");
    }

    private long decidedBy(DecidedBy by) {
        return checker.stats(IdentifierKind.USERNAME).answers().decided().get(by);
    }

    private String signUp(String name) {
        String form = "username=" + name;
        return exchange("POST /signup HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + form.length() + "\r\n", form);
    }

    private String status(String name) {
        String answer = exchange("GET /availability?username=" + name + " HTTP/1.1\r\n", "");
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        return answer.replaceAll("(?s).*\"status\":\"(\\w+)\".*", "$1");
    }

    /** Each time as another client, in a network of its own: the endpoint's limits are those that it has by default. */
    private String exchange(String head, String body) {
        int client = clients.incrementAndGet();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(30_000);
            socket.bind(new InetSocketAddress(
                    InetAddress.getByAddress(new byte[] {127, (byte) (1 + client / 250), (byte) (client % 250), 1}), 0));
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            socket.getOutputStream()
                    .write((head + "Host: 127.0.0.1\r\nConnection: close\r\n\r\n" + body).getBytes(UTF_8));
            return answer(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Helidon leaves the connection open, whatever was asked for. */
    private static String answer(InputStream in) throws IOException {
        String head = until("\r\n\r\n", in);
        if (head.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding: chunked\r\n")) {
            return head + until("0\r\n\r\n", in);
        }
        Matcher length = LENGTH.matcher(head);
        return head + new String(in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0), UTF_8);
    }

    private static String until(String end, InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end, read.length() - end.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException(read.toString());
            }
            read.append((char) next);
        }
        return read.toString();
    }
}
