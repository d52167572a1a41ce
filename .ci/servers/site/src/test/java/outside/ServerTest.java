package outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The application of the documentation on a real server: with the word that no other process writes, and without it. */
@ParameterizedClass(name = "one writer: {0}")
@ValueSource(booleans = {true, false})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerTest {
    private static final int ASKERS = 3;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private static Server server;

    @Parameter
    boolean oneWriter;

    @BeforeParameterizedClassInvocation
    static void start(boolean oneWriter) throws Exception {
        server = Server.start(oneWriter);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
        server = null;
    }

    @AfterAll
    static void endThreads() {
        THREADS.shutdownNow();
    }

    @Test
    void nobodyAcknowledgedIsEverCalledFree() throws Exception {
        List<String> people = IntStream.range(0, 30).mapToObj(i -> "person" + i).toList();
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        CountDownLatch asked = new CountDownLatch(ASKERS);
        AtomicBoolean allSignedUp = new AtomicBoolean();
        List<Future<?>> asking = new ArrayList<>();
        for (int asker = 0; asker < ASKERS; asker++) {
            asking.add(THREADS.submit(() -> {
                for (boolean last = false; !last; asked.countDown()) {
                    last = allSignedUp.get();
                    for (String name : people) {
                        boolean mustBeTaken = acknowledged.contains(name);
                        String status = status(name);
                        if (mustBeTaken) {
                            assertEquals("taken", status, name);
                        }
                    }
                }
                return null;
            }));
        }
        assertTrue(asked.await(1, TimeUnit.MINUTES), "nobody asks");

        for (String name : people) {
            assertEquals("available", status(name));
            assertEquals(201, signUp(name));
            acknowledged.add(name);
        }
        allSignedUp.set(true);

        for (Future<?> each : asking) {
            each.get(1, TimeUnit.MINUTES);
        }
        assertEquals(409, server.send("GET", "/signup?username=person7").statusCode()); // so the application is told, too
    }

    @Test
    void aNameIsFreeThenTakenThenFreeAgain() throws Exception {
        assertEquals("available", status("annette"));
        assertEquals(200, server.send("GET", "/signup?username=annette").statusCode());

        assertEquals(201, signUp("annette"));

        assertEquals("taken", status("annette"));
        assertEquals("taken", status("ANNETTE")); // one name, however it is typed
        assertEquals(409, signUp("Annette"));

        assertEquals(204, remove("annette"));

        assertEquals("available", status("annette"));
        assertEquals(201, signUp("annette"));
        assertEquals("taken", status("annette"));
    }

    @Test
    void ofTwoWhoWantOneNameOneGetsIt() throws Exception {
        for (int i = 0; i < 20; i++) {
            String name = "racer" + i;
            Callable<Integer> racer = () -> signUp(name);
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> each : THREADS.invokeAll(List.of(racer, racer))) {
                answers.add(each.get());
            }

            assertEquals(Set.of(201, 409), new TreeSet<>(answers), name);
            assertEquals("taken", status(name));
            assertEquals(204, remove(name)); // not 404, as it would be with two
            assertEquals("available", status(name));
        }
    }

    @Test
    void rubbishIsTheClientsFault() throws Exception {
        for (String query : List.of("", "?username=%ff", "?username=a&username=b", "?shoe=42")) {
            assertEquals(400, server.send("GET", "/availability" + query).statusCode(), query);
        }
        assertEquals("invalid", status("no%20name"));
    }

    @Test
    void freeNamesComeFromMemoryOnceItIsKnownWhoWrites() throws Exception {
        boolean fromMemory = oneWriter || Boolean.getBoolean("server.knows-who-writes");
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (fromMemory && !figures()[0].equals("READY")) {
            assertTrue(System.nanoTime() < end, String.join(" ", figures()));
        }
        String[] before = figures();

        for (int i = 0; i < 100; i++) {
            assertEquals("available", status("nobody" + i));
        }

        String[] after = figures();
        int which = fromMemory ? 1 : 2;
        long answered = Long.parseLong(after[which]) - Long.parseLong(before[which]);
        assertTrue(answered >= 95, answered + " of 100, " + String.join(" ", after)); // a filter errs, if seldom
    }

    private static int signUp(String name) throws Exception {
        return server.send("POST", "/signup?username=" + name).statusCode();
    }

    private static int remove(String name) throws Exception {
        return server.send("DELETE", "/signup?username=" + name).statusCode();
    }

    private static String status(String name) throws Exception {
        var answer = server.send("GET", "/availability?username=" + name);
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body().replaceAll("(?s).*\"status\":\"(\\w+)\".*", "$1");
    }

    private static String[] figures() throws Exception {
        return server.send("GET", "/figures").body().strip().split(" ");
    }
}
