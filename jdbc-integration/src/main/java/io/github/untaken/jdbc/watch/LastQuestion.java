package io.github.untaken.jdbc.watch;

import io.github.untaken.jdbc.connection.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks whether a server still answers over a connection that was used behind the watch: if so, it is done with all that was sent before.
 * Asks on a thread of its own, since a driver may wait forever for something left half done, such as a PostgreSQL COPY.
 */
final class LastQuestion {
    private static final int SECONDS = 5;

    private LastQuestion() {}

    /** False if the answer was another, or did not come in time. */
    static boolean isAnswered(Connection connection) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        AtomicBoolean interruptible = new AtomicBoolean();
        Thread asking = new Thread(
                () -> {
                    try {
                        Database database =
                                Database.named(connection.getMetaData().getDatabaseProductName());
                        interruptible.set(database
                                != Database.H2); // it runs in this process, where an interrupt closes its files
                        answer.complete(connection.isValid(SECONDS));
                    } catch (SQLException | RuntimeException | Error e) {
                        answer.complete(false);
                    }
                },
                "untaken-last-question");
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // no answer
        }
        if (interruptible.get()) {
            asking.interrupt();
        }
        return false;
    }
}
