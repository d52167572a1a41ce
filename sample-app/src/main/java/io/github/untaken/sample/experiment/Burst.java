package io.github.untaken.sample.experiment;

import io.github.untaken.sample.database.MadeUpAccounts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Many checks at once, over HTTP, from this process to its own endpoint: a browser that sends them one by one is the slowest
 * part of it. Nine of ten ask for a name nobody has, one for a seeded one. One at a time.
 */
public final class Burst {
    /** How many. */
    public static final int CHECKS = 10_000;
    /** Connections, as many as a browser has. */
    private static final int AT_ONCE = 6;
    /** Seeded names that are asked for. */
    private static final int TAKEN = 100;

    private final String endpoint;
    private final int users;
    private final AtomicInteger begun = new AtomicInteger();

    /** What was answered: 200 with either answer, 503, or 429. */
    public record Answers(int free, int taken, int unknown, int limited, double seconds) {
        private Answers plus(Answers other) {
            return new Answers(
                    free + other.free, taken + other.taken, unknown + other.unknown, limited + other.limited, seconds);
        }
    }

    /**
     * A burst to send.
     *
     * @param endpoint where names are asked for
     * @param users accounts that were seeded
     */
    public Burst(URI endpoint, int users) {
        this.endpoint = endpoint + "?username=";
        this.users = users;
    }

    /** How many of them have been begun. */
    public int begun() {
        return Math.min(begun.get(), CHECKS);
    }

    /** Sends them all, and returns when all are answered. */
    public Answers run() throws IOException, InterruptedException {
        begun.set(0);
        long start = System.nanoTime();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Callable<Answers>> senders = Stream.generate(() -> (Callable<Answers>) () -> send(client))
                    .limit(AT_ONCE)
                    .toList();
            Answers all = new Answers(0, 0, 0, 0, 0);
            for (Future<Answers> sent : threads.invokeAll(senders)) {
                all = all.plus(sent.get());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Answers(all.free(), all.taken(), all.unknown(), all.limited(), seconds);
        } catch (ExecutionException e) {
            throw new IOException("the endpoint does not answer", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Answers send(HttpClient client) throws IOException, InterruptedException {
        Answers answers = new Answers(0, 0, 0, 0, 0);
        for (int number = begun.getAndIncrement(); number < CHECKS; number = begun.getAndIncrement()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(endpoint + name(number))).build(), BodyHandlers.ofString());
            answers = answers.plus(counted(response));
        }
        return answers;
    }

    private static Answers counted(HttpResponse<String> response) throws IOException {
        return switch (response.statusCode()) {
            case 200 ->
                response.body().contains("\"available\":true")
                        ? new Answers(1, 0, 0, 0, 0)
                        : new Answers(0, 1, 0, 0, 0);
            case 503 -> new Answers(0, 0, 1, 0, 0);
            case 429 -> new Answers(0, 0, 0, 1, 0);
            default -> throw new IOException("the endpoint answered " + response.statusCode());
        };
    }

    private String name(int number) {
        return number % 10 == 9 && users > 0
                ? MadeUpAccounts.username(number % Math.min(TAKEN, users))
                : "n" + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36);
    }
}
