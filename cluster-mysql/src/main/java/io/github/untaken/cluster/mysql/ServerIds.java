package io.github.untaken.cluster.mysql;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * The number by which the server tells those apart who read its log: it ends one when another comes with the same. Nobody gives such high
 * ones to servers, and of two thousand million a dozen nodes hardly draw one twice; who is ended all the same draws another.
 */
final class ServerIds {
    private static final long FIRST = 1L << 31;

    private final Random random;
    private long present;

    ServerIds() {
        this(new SecureRandom());
    }

    ServerIds(Random random) {
        this.random = random;
        draw();
    }

    long present() {
        return present;
    }

    /** Whoever has ended us may have had the same. */
    void draw() {
        present = FIRST + random.nextInt(Integer.MAX_VALUE);
    }

    /** Draws another one as long as a replica has it, as far as the server says so. */
    void avoidReplicas(Connection connection, Facts facts) {
        Set<Long> taken = new HashSet<>();
        String sql = !facts.isMariaDb() && facts.version() >= 804 ? "show replicas" : "show slave hosts";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                taken.add(rows.getLong(1));
            }
        } catch (SQLException e) {
            return; // not for this user
        }
        while (taken.contains(present)) {
            draw();
        }
    }
}
