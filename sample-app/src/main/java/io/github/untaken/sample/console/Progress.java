package io.github.untaken.sample.console;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line per second from its start until closed. */
public final class Progress implements AutoCloseable {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    private final PrintStream out;
    private final Supplier<String> line;

    /** @param line what to print; empty prints nothing this time */
    public Progress(PrintStream out, Supplier<String> line) {
        this.out = out;
        this.line = line;
    }

    public void start() {
        var unused = clock.scheduleAtFixedRate(
                () -> {
                    String text = line.get();
                    if (!text.isEmpty()) {
                        out.println(text);
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
