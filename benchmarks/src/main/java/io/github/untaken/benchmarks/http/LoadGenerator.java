package io.github.untaken.benchmarks.http;

import io.github.untaken.benchmarks.PeopleDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The process that makes the load. Opens its connections once and keeps them; told a line {@code PATH taken|free
 * MILLISECONDS} on its standard input, it asks for user names at random that long, on each connection the next as soon as the
 * last is answered, and prints one line of figures. Ends with its input.
 *
 * <p>A wrong answer ends it too: endpoints that err are not worth comparing.
 */
final class LoadGenerator {
    private LoadGenerator() {}

    /** @param arguments the port, the number of connections, and the number of taken names */
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        int rows = Integer.parseInt(arguments[2]);
        List<KeptConnection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(new KeptConnection(port));
        }
        SplittableRandom random = new SplittableRandom(20_261_121);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            System.out.println(run(
                            connections,
                            words[0],
                            words[1].equals("taken"),
                            rows,
                            Long.parseLong(words[2]) * 1_000_000,
                            random)
                    .line());
        }
    }

    private static LoadFigures run(
            List<KeptConnection> connections, String path, boolean taken, int rows, long nanos, SplittableRandom random)
            throws InterruptedException, IOException {
        byte[] expected = ("\"available\":" + !taken).getBytes(StandardCharsets.US_ASCII);
        List<Asking> asking = new ArrayList<>();
        long began = System.nanoTime();
        for (KeptConnection connection : connections) {
            asking.add(new Asking(connection, path, taken, rows, expected, began + nanos, random.split()));
        }
        asking.forEach(Thread::start);
        Latencies all = new Latencies();
        for (Asking one : asking) {
            one.join();
            if (one.failure != null) {
                throw one.failure;
            }
            all.add(one.latencies);
        }
        return new LoadFigures(all.count(), System.nanoTime() - began, all.micros(0.5), all.micros(0.99));
    }

    /** One connection for one measurement. */
    private static final class Asking extends Thread {
        private final KeptConnection connection;
        private final String path;
        private final boolean taken;
        private final int rows;
        private final byte[] expected;
        private final long end;
        private final SplittableRandom random;
        private final Latencies latencies = new Latencies();
        private IOException failure; // read after join

        Asking(
                KeptConnection connection,
                String path,
                boolean taken,
                int rows,
                byte[] expected,
                long end,
                SplittableRandom random) {
            this.connection = connection;
            this.path = path;
            this.taken = taken;
            this.rows = rows;
            this.expected = expected;
            this.end = end;
            this.random = random;
        }

        @Override
        public void run() {
            try {
                long now = System.nanoTime();
                while (now - end < 0) {
                    connection.ask(path, name(), expected);
                    long answered = System.nanoTime();
                    latencies.count(answered - now);
                    now = answered;
                }
            } catch (IOException e) {
                failure = e;
            }
        }

        private String name() {
            return taken
                    ? PeopleDatabase.username(random.nextLong(1, rows + 1L))
                    : "free" + random.nextInt(10_000_000, 100_000_000);
        }
    }
}
