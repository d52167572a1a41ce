package io.github.untaken.innodb;

import com.mysql.cj.jdbc.MysqlXADataSource;
import io.github.untaken.test.calls.StandIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import org.mariadb.jdbc.MariaDbDataSource;

/** The drivers, both on the server under test, whichever that is. */
enum Driver {
    MARIADB("jdbc:mariadb:", "") {
        @Override
        XAConnection xaConnection() throws SQLException {
            return new MariaDbDataSource(url("untaken")).getXAConnection();
        }
    },
    /** Not over TLS, which it would take by itself: each new connection would cost a handshake. */
    MYSQL("jdbc:mysql:", "&sslMode=DISABLED") {
        @Override
        XAConnection xaConnection() throws SQLException {
            MysqlXADataSource source = new MysqlXADataSource();
            source.setUrl(url("untaken"));
            return source.getXAConnection();
        }
    };

    private final String protocol;
    private final String options;

    Driver(String protocol, String options) {
        this.protocol = protocol;
        this.options = options;
    }

    String url(String user) {
        return url(user, Server.RUNNING.port());
    }

    String url(String user, int port) {
        return protocol + "//127.0.0.1:" + port + "/names?user=" + user + options;
    }

    /** One of its own, that can have branches of XA. */
    abstract XAConnection xaConnection() throws SQLException;

    Connection connection() throws SQLException {
        return DriverManager.getConnection(url("untaken"));
    }

    /** Does something to a connection before it is lent. */
    interface Setting {
        void apply(Connection connection) throws SQLException;
    }

    DataSource dataSource() {
        return dataSource(url("untaken"), connection -> {});
    }

    /** A pool that does not look into what state its connections come back. */
    static DataSource dataSource(String url, Setting setting) {
        Queue<Connection> idle = new ConcurrentLinkedQueue<>();
        return StandIn.of(DataSource.class, (method, arguments) -> {
            Connection kept = idle.poll();
            Connection connection = kept == null ? DriverManager.getConnection(url) : kept;
            setting.apply(connection);
            return StandIn.of(Connection.class, (called, given) -> {
                if (called.getName().equals("close")) {
                    if (!connection.isClosed()) {
                        idle.add(connection);
                    }
                    return null;
                }
                return called.invoke(connection, given);
            });
        });
    }
}
