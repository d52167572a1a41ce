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
 * The number by which the server tells the readers of its log apart: it ends one when another comes with the same number. Nobody gives
 * servers numbers this high, and a dozen nodes hardly draw one of two thousand million twice. A reader that is ended all the same draws
 * another.
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

    /** Draws another number: the reader that ended us may have the same one. */
    void draw() {
        present = FIRST + random.nextInt(Integer.MAX_VALUE);
    }

    /** Draws again as long as a replica has the number, as far as the server tells. */
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
