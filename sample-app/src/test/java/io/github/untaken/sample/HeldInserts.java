package io.github.untaken.sample;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps transactions that insert accounts waiting in the middle of their statement, by a trigger of the database. One at a
 * time in this process; the trigger stays in the database and does nothing later.
 */
public final class HeldInserts implements AutoCloseable {
    private static final int PATIENCE_MINUTES = 2;
    private static volatile @Nullable HeldInserts present;

    private final int passing;
    private final AtomicInteger inserts = new AtomicInteger();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private HeldInserts(int passing) {
        this.passing = passing;
    }

    /** @param passing inserts that are not held, the first ones from now on */
    public static HeldInserts after(int passing, Path data) throws SQLException {
        try (Connection connection = Sites.connect(data);
                Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout 20000");
            statement.execute("create trigger if not exists held_inserts before insert on account for each row call '"
                    + Gate.class.getName() + "'");
        }
        HeldInserts held = new HeldInserts(passing);
        present = held;
        return held;
    }

    /** Called by the database, in whatever transaction inserts. */
    public static final class Gate implements Trigger {
        @Override
        public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
            HeldInserts held = present;
            if (held != null) {
                held.insert();
            }
        }
    }

    private void insert() throws SQLException {
        if (inserts.incrementAndGet() > passing) {
            reached.countDown();
            await(released, "to be let go on");
        }
    }

    /** Returns once an insert is being held. */
    public void awaitOne() throws SQLException {
        await(reached, "for an insert");
    }

    public void release() {
        released.countDown();
    }

    private static void await(CountDownLatch what, String name) throws SQLException {
        try {
            if (!what.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new SQLException("waited in vain " + name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting " + name, e);
        }
    }

    /** As {@link #release}, for those to come too. */
    @Override
    public void close() {
        present = null;
        release();
    }
}
