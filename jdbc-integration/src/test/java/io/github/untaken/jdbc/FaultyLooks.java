package io.github.untaken.jdbc;

import io.github.untaken.test.calls.StandIn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Connections over which looks at the catalog fail in a way that the test chooses; all else that is sent is as ever. */
final class FaultyLooks {

    /** What befalls a look that is about to be sent. */
    enum Fault {
        NONE,
        HANGS {
            @Override
            void befall(CountDownLatch over) throws SQLException {
                await(over, Duration.ofMinutes(5));
            }
        },
        SLOW {
            @Override
            void befall(CountDownLatch over) throws SQLException {
                await(over, Duration.ofMillis(700));
            }
        },
        NO_RIGHTS {
            @Override
            void befall(CountDownLatch over) throws SQLException {
                throw new SQLException("permission denied", "42501");
            }
        },
        LOST {
            @Override
            void befall(CountDownLatch over) throws SQLException {
                throw new SQLException("An I/O error occurred", "08006");
            }
        },
        REFUSED;

        void befall(CountDownLatch over) throws SQLException {}

        private static void await(CountDownLatch over, Duration time) {
            try {
                boolean unused = over.await(time.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private volatile CountDownLatch over = new CountDownLatch(1);
    private volatile Fault fault = Fault.NONE;

    /** From the next look on; those that hang go on hanging. */
    void befall(Fault next) {
        fault = next;
    }

    /** Also those that hang. */
    void heal() {
        fault = Fault.NONE;
        CountDownLatch last = over;
        over = new CountDownLatch(1);
        last.countDown();
    }

    DataSource over(DataSource target) {
        return faulty(DataSource.class, target);
    }

    private <T> T faulty(Class<T> type, T target) {
        return StandIn.of(type, (method, args) -> {
            if (method.getName().equals("prepareStatement") && isOfALook((String) args[0])) {
                fault.befall(over);
                if (fault == Fault.REFUSED) {
                    throw new SQLException("the server refuses connections", "08001");
                }
            }
            Object result = method.invoke(target, args);
            return result instanceof Connection connection && !(target instanceof Statement)
                    ? faulty(Connection.class, connection)
                    : result;
        });
    }

    private static boolean isOfALook(String sql) {
        return sql.contains("with recursive root(no, oid)") || sql.contains("INFORMATION_SCHEMA.DOMAINS");
    }
}
