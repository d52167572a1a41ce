package io.github.untaken.sample;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where a site prints, which stands still before its first account is written. */
final class HeldConsole extends ByteArrayOutputStream {
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void write(byte[] bytes, int from, int length) {
        super.write(bytes, from, length);
        if (new String(bytes, from, length, StandardCharsets.UTF_8).startsWith("Seeding")) {
            try {
                released.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void release() {
        released.countDown();
    }

    String text() {
        return toString(StandardCharsets.UTF_8);
    }

    /** What the site said that it listens at; empty before. */
    String address() {
        return text().lines()
                .filter(line -> line.startsWith("Listening: "))
                .findFirst()
                .map(line -> line.substring("Listening: ".length()))
                .orElse("");
    }
}
