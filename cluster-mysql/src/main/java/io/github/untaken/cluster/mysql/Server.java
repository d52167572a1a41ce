package io.github.untaken.cluster.mysql;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Opens connections to the server, past any pool: each is kept for one purpose. */
final class Server {
    private final FeedSettings settings;

    Server(FeedSettings settings) {
        this.settings = settings;
    }

    /** Under autocommit; no answer may take longer than connecting. */
    Connection plain(Duration timeout) throws SQLException {
        Properties properties = new Properties();
        String millis = String.valueOf(Math.max(1, Math.min(timeout.toMillis(), 3_600_000)));
        properties.setProperty("connectTimeout", millis);
        properties.setProperty("socketTimeout", millis);
        properties.putAll(settings.properties().get());
        Connection connection = DriverManager.getConnection(settings.address().url(), properties);
        try {
            connection.setNetworkTimeout(Runnable::run, (int) Math.max(1, Math.min(timeout.toMillis(), 3_600_000)));
            connection.setAutoCommit(true);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** One that can read the log, not connected yet. */
    BinaryLogClient log() {
        Properties properties = settings.properties().get();
        Address address = settings.address();
        BinaryLogClient client = new BinaryLogClient(
                address.host(),
                address.port(),
                address.setting("user", properties),
                address.setting("password", properties));
        Tls.set(client, address, properties);
        return client;
    }

    /** For people; without a password. */
    String user() {
        return settings.address().setting("user", settings.properties().get());
    }
}
