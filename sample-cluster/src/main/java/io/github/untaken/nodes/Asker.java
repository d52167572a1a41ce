package io.github.untaken.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Asks the nodes about names, and judges their answers. Used by one thread. */
final class Asker implements AutoCloseable {
    private static final String AVAILABLE = "AVAILABLE";
    private static final int MOST_BOUNDS = 10;

    private final Cluster cluster;
    private final Tally tally;
    private final Set<Integer> leftOut;
    private final List<NodeLine> lines = new ArrayList<>();

    Asker(Cluster cluster, Tally tally, Set<Integer> leftOut) {
        this.cluster = cluster;
        this.tally = tally;
        this.leftOut = leftOut;
    }

    private NodeLine line(int node) {
        while (lines.size() <= node) {
            lines.add(new NodeLine(cluster, lines.size()));
        }
        return lines.get(node);
    }

    /**
     * Every node at one moment, in both modes.
     *
     * @param committed when the commit had returned
     */
    void askAll(String name, long committed, boolean latestFirst) {
        askFirst(cluster.nodes().size(), name, committed, latestFirst);
    }

    /** Likewise, the first so many. */
    void askFirst(int count, String name, long committed, boolean latestFirst) {
        askFirst(count, name, committed, latestFirst ? "latest,bounded" : "bounded,latest");
    }

    /** Likewise, in these modes. */
    void askFirst(int count, String name, long committed, String modes) {
        String path = path(modes, name);
        long[] sent = new long[count];
        for (int node = 0; node < count; node++) {
            if (!leftOut.contains(node)) {
                try {
                    sent[node] = System.nanoTime();
                    line(node).client().send(path);
                } catch (IOException e) {
                    sent[node] = 0;
                    tally.unanswered();
                }
            }
        }
        for (int node = 0; node < count; node++) {
            if (sent[node] != 0) {
                try {
                    String answer = line(node).client().receive().body();
                    judge(node, answer, committed, sent[node]);
                    if (bounded(answer)) {
                        awaitTaken(node, name, committed);
                    } else {
                        tally.untilTaken(System.nanoTime() - committed);
                    }
                } catch (IOException | RuntimeException e) {
                    tally.unanswered();
                }
            }
        }
    }

    /** One node, about a name that was committed some time ago. */
    void askOne(String name, long committed, Random random) {
        int node = random.nextInt(cluster.nodes().size());
        if (!leftOut.contains(node)) {
            try {
                long sent = System.nanoTime();
                judge(
                        node,
                        line(node).client().get(path("bounded,latest", name)).body(),
                        committed,
                        sent);
            } catch (IOException | RuntimeException e) {
                tally.unanswered();
            }
        }
    }

    /** One node, about a name that is free: no answer is wrong. Whether memory gave it. */
    boolean askFree(String name, Random random) {
        int node = random.nextInt(cluster.nodes().size());
        if (!leftOut.contains(node)) {
            try {
                String answer = line(node).client().get(path("bounded", name)).body();
                return answer.contains("/FILTER") || answer.contains("/WHITELIST");
            } catch (IOException | RuntimeException e) {
                tally.unanswered();
            }
        }
        return false;
    }

    private static String path(String modes, String name) {
        return "/check?modes=" + modes + "&username=" + name;
    }

    private static boolean bounded(String answer) {
        return answer.contains("bounded=" + AVAILABLE);
    }

    /** A check that began after the commit had returned. Its age is that of the commit when the question was sent. */
    private void judge(int node, String answer, long committed, long sent) {
        for (String mode : answer.split(" ", -1)) {
            tally.asked(mode.contains("=UNKNOWN"));
        }
        long age = sent - committed;
        if (answer.contains("latest=" + AVAILABLE)) {
            tally.falseLatest("node " + node + " after " + age / 1_000 + " us: " + answer);
        }
        if (bounded(answer) && age > cluster.bound().toNanos()) {
            tally.falseBounded("node " + node + " after " + age / 1_000 + " us: " + answer);
        }
    }

    private void awaitTaken(int node, String name, long committed) throws IOException {
        long most = MOST_BOUNDS * cluster.bound().toNanos(); // it has been counted as false for long by then
        while (System.nanoTime() - committed < most) {
            long sent = System.nanoTime();
            String answer = line(node).client().get(path("bounded", name)).body();
            judge(node, answer, committed, sent);
            if (!bounded(answer)) {
                tally.untilTaken(System.nanoTime() - committed);
                return;
            }
        }
    }

    /** How many of these committed names a node calls available, with all its news; asked in few requests. */
    long countFree(int node, List<String> names) throws IOException {
        long free = 0;
        for (int from = 0; from < names.size(); from += 50) {
            List<String> some = names.subList(from, Math.min(from + 50, names.size()));
            String answer = line(node)
                    .client()
                    .post("/free", "names=" + String.join(",", some))
                    .body();
            free += answer.isEmpty() ? 0 : answer.split(",", -1).length;
        }
        return free;
    }

    @Override
    public void close() {
        lines.forEach(NodeLine::close);
    }
}
