package io.github.untaken.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Four writers, two of them through Hibernate in the first two nodes, one by JDBC, one as at a console; each registers, renames and
 * deletes names of its own, so that it knows exactly which are committed, and asks every node in both modes the moment a commit has
 * returned. Whatever a writer does is decided by the seed.
 */
final class Load implements AutoCloseable {
    private static final AtomicInteger LOADS = new AtomicInteger();

    private final Cluster cluster;
    private final String prefix = "l" + LOADS.incrementAndGet();
    private final Tally tally = new Tally();
    private final List<Writer> writers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Integer> leftOut = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** @param asynchronousConsole whether the console's commits may be lost by a crash of the server */
    Load(Cluster cluster, long seed, boolean asynchronousConsole) {
        this.cluster = cluster;
        add(seed, new Hand.OfNode(new NodeLine(cluster, 0)));
        add(seed, new Hand.OfNode(new NodeLine(cluster, 1)));
        add(seed, new Hand.Jdbc(() -> cluster.primary().port()));
        add(seed, new Hand.Console(() -> cluster.primary().port(), asynchronousConsole));
    }

    private void add(long seed, Hand hand) {
        int number = writers.size();
        writers.add(new Writer(number, new Random(seed * 31 + number), hand));
    }

    /** A node that cannot answer is not asked, from the next question on. */
    void leaveOut(int node) {
        leftOut.add(node);
    }

    void askAgain(int node) {
        leftOut.remove(node);
    }

    Tally tally() {
        return tally;
    }

    /** Each writer commits so often; returns when all have. */
    void run(int commitsEach) {
        start(commitsEach);
        join();
    }

    /** Begins in the background, until {@link #stop}. */
    void start() {
        start(Integer.MAX_VALUE);
    }

    private void start(int commitsEach) {
        stopped = false;
        for (Writer writer : writers) {
            Thread thread = new Thread(() -> writer.write(commitsEach), "writer " + writer.number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Goes on for so many commits of all writers together, and so long. */
    void goOn(int commits, long millis) {
        long goal = tally.commits() + commits;
        long begun = System.nanoTime();
        Cluster.await(
                "the writers go on", () -> tally.commits() >= goal && System.nanoTime() - begun > millis * 1_000_000);
    }

    void stop() {
        stopped = true;
        join();
    }

    private void join() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        threads.clear();
    }

    /** The names that are committed, as far as is known for certain. */
    List<String> held() {
        List<String> all = new ArrayList<>();
        writers.forEach(writer -> writer.held.forEach(held -> all.add(held.name)));
        return all;
    }

    @Override
    public void close() {
        stop();
        writers.forEach(Writer::close);
    }

    private record Held(String name, long committed) {}

    private final class Writer {
        final int number;
        final List<Held> held = new ArrayList<>();

        private static final long PAUSE_NANOS = 5_000_000;

        private final Random random;
        private final Hand hand;
        private final Asker asker = new Asker(cluster, tally, leftOut);
        private final List<String> freed = new ArrayList<>();
        private int made;

        Writer(int number, Random random, Hand hand) {
            this.number = number;
            this.random = random;
            this.hand = hand;
        }

        void write(int commits) {
            for (int i = 0; i < commits && !stopped; ) {
                try {
                    step();
                    i++;
                    tally.committed();
                } catch (Exception e) {
                    // Whether it has committed, nobody knows: its names are not used again.
                    tally.failedWrite();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }

        private void step() throws Exception {
            int dice = random.nextInt(100);
            if (dice < 20 && !held.isEmpty()) {
                String name = take(held).name;
                hand.delete(name);
                freed.add(name);
                asker.askFree(name, random); // now it is on a whitelist
            } else if (dice < 30 && !held.isEmpty()) {
                String name = take(held).name;
                String other = freeName();
                hand.rename(name, other);
                freed.add(name);
                registered(other);
            } else {
                String name = freeName();
                hand.insert(name);
                registered(name);
            }
        }

        private void registered(String name) {
            Held now = new Held(name, System.nanoTime());
            held.add(now);
            asker.askAll(now.name, now.committed, random.nextBoolean());
            Held old = held.get(random.nextInt(held.size()));
            asker.askOne(old.name, old.committed, random);
        }

        /** One that was freed before is on whitelists. */
        private String freeName() {
            return !freed.isEmpty() && random.nextBoolean() ? take(freed) : newName();
        }

        private String newName() {
            String name = prefix + "w" + number + "n" + ++made;
            if (random.nextInt(4) == 0) {
                tally.askedFree(asker.askFree(name, random));
            }
            return name;
        }

        private <T> T take(List<T> from) {
            int index = random.nextInt(from.size());
            T taken = from.get(index);
            from.set(index, from.get(from.size() - 1));
            from.remove(from.size() - 1);
            return taken;
        }

        void close() {
            hand.close();
            asker.close();
        }
    }
}
