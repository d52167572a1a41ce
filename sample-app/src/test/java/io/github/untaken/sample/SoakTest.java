package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight threads sign up, rename, delete and check beside an exact oracle. Each name has one thread that changes it, and all
 * threads check all names. Longer or shorter by {@code -Dsample.soak.seconds=...}, replayed by {@code -Dtest.seed=...}.
 */
@Tag("nightly")
class SoakTest {
    private static final int THREADS = 8;
    private static final int NAMES_OF_EACH = 24;
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("sample.soak.seconds", 60));
    private static final long SEED = Seed.of(SoakTest.class, 11);

    /** What is known of a name; a new object at each change, so that equal references mean nothing happened between. */
    private record Known(String status) {
        static final String CHANGING = "changing";
        static final String REGISTERED = "taken";
        static final String FREE = "available";
    }

    @TempDir
    private Path data;

    private final AtomicReferenceArray<Known> oracle = new AtomicReferenceArray<>(THREADS * NAMES_OF_EACH);

    @Test
    void neverCallsARegisteredNameAvailable() throws Exception {
        for (int i = 0; i < oracle.length(); i++) {
            oracle.set(i, new Known(Known.FREE));
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (SignUpSite site = Sites.start(data)) {
            // Not waiting for the warm-up: the soak crosses it.
            Client client = new Client(site.address());
            long end = System.nanoTime() + LENGTH.toNanos();
            List<Future<Long>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                workers.add(threads.submit(() -> work(thread, client, end)));
            }
            long requests = 0;
            for (Future<Long> worker : workers) {
                requests += worker.get();
            }
            System.out.println("soak requests " + requests);
            assertThat(requests).isGreaterThan(THREADS * 10L);
            for (int i = 0; i < oracle.length(); i++) {
                assertThat(client.check(name(i))).isEqualTo(oracle.get(i).status());
            }
            assertThat(client.get("/stats").body()).doesNotContainPattern("\"missesProved\":[1-9]");
        } finally {
            threads.shutdownNow();
        }
    }

    private long work(int thread, Client client, long end) {
        SplittableRandom random = new SplittableRandom(SEED + thread);
        long requests = 0;
        while (System.nanoTime() < end) {
            int own = thread * NAMES_OF_EACH + random.nextInt(NAMES_OF_EACH);
            switch (random.nextInt(8)) {
                case 0, 1 -> change(client, own, thread * NAMES_OF_EACH + random.nextInt(NAMES_OF_EACH));
                case 2 ->
                    assertThat(client.signUp(MadeUpAccounts.username(random.nextInt(Sites.USERS)))
                                    .status())
                            .isEqualTo(409);
                case 3 -> check(client, own);
                default -> check(client, random.nextInt(oracle.length()));
            }
            requests++;
        }
        return requests;
    }

    /** Signs a free name up; renames a registered one to {@code other} if that is free, else deletes it. */
    private void change(Client client, int own, int other) {
        boolean registered = oracle.get(own).status().equals(Known.REGISTERED);
        boolean otherFree = oracle.get(other).status().equals(Known.FREE);
        oracle.set(own, new Known(Known.CHANGING));
        if (!registered) {
            assertThat(client.signUp(name(own)).status()).isEqualTo(201);
            oracle.set(own, new Known(Known.REGISTERED));
        } else if (otherFree && own % 2 == 0) {
            oracle.set(other, new Known(Known.CHANGING));
            assertThat(client.rename(name(own), name(other)).status()).isEqualTo(200);
            oracle.set(other, new Known(Known.REGISTERED));
            oracle.set(own, new Known(Known.FREE));
        } else {
            assertThat(client.delete(name(own)).status()).isEqualTo(204);
            oracle.set(own, new Known(Known.FREE));
        }
    }

    private void check(Client client, int index) {
        Known before = oracle.get(index);
        Reply reply = client.get("/availability?username=" + name(index));
        Known after = oracle.get(index);
        assertThat(reply.status()).isEqualTo(200);
        if (before == after && !before.status().equals(Known.CHANGING)) {
            assertThat(reply.member("status"))
                    .as("name %s, decided by %s", index, reply.member("decidedBy"))
                    .isEqualTo(before.status());
        }
    }

    private static String name(int index) {
        return "soak.name" + index;
    }
}
