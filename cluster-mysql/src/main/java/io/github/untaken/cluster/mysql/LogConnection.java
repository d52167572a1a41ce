package io.github.untaken.cluster.mysql;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection that reads the log. Used by one thread; {@link #end} by any. */
final class LogConnection {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** A server that sends these is heard while nothing is written, and not given up for one late answer. */
    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    /** A server that says nothing for so long is given up, until its log is read. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int FATAL = 1236;
    private static final int DENIED = 1227;
    private static final int REFUSED = 1045;

    private final BinaryLogClient client;
    private volatile @Nullable Socket socket;
    private volatile boolean ended;
    private @Nullable Exception failure;

    LogConnection(Server server, LogPlace from, long id) {
        this.client = server.log();
        client.setServerId(id);
        client.setBinlogFilename(from.file());
        client.setBinlogPosition(from.offset());
        client.setKeepAlive(false);
        client.setHeartbeatInterval(HEARTBEAT.toMillis());
        client.setConnectTimeout(CONNECT.toMillis());
        client.setSocketFactory(() -> {
            Socket opened = new Socket();
            opened.setSoTimeout((int) SILENCE.toMillis());
            socket = opened;
            if (ended) {
                end();
            }
            return opened;
        });
        client.registerLifecycleListener(new BinaryLogClient.AbstractLifecycleListener() {
            @Override
            public void onCommunicationFailure(BinaryLogClient client, Exception e) {
                failure = e;
            }

            @Override
            public void onEventDeserializationFailure(BinaryLogClient client, Exception e) {
                failure = e;
                end();
            }
        });
    }

    /** From now on it may be silent for any time: not every server sends heartbeats. {@link #end} ends it. */
    void mayBeSilent() {
        Socket present = socket;
        if (present != null) {
            try {
                present.setSoTimeout(0);
            } catch (SocketException e) {
                // it was ended meanwhile, which whoever reads it finds out
            }
        }
    }

    /** Whether the server of that other connection is the one that sends us its log. Its list of connections shows it. */
    boolean isServedBy(Connection asked) throws SQLException {
        try (Statement statement = asked.createStatement();
                ResultSet connections = statement.executeQuery("show processlist")) {
            while (connections.next()) {
                if (connections.getLong("Id") == client.getConnectionId()
                        && connections.getString("Command").startsWith("Binlog Dump")) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The connection was lost, or could not be made; the message says why. */
    static final class LostException extends IOException {
        private static final long serialVersionUID = 1L;

        LostException(String why) {
            super(why);
        }
    }

    /**
     * Reads until it ends. Never returns otherwise.
     *
     * @throws LostException if the connection is lost, or was not made
     * @throws UnfollowableException if the log cannot be read, or not from here on
     */
    void read(LogEvents events) throws LostException, UnfollowableException {
        client.setEventDeserializer(events);
        try {
            client.connect();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
        UnfollowableException refused = events.failure();
        if (refused != null) {
            throw refused;
        }
        if (failure instanceof ServerException said) {
            judge(said);
        }
        throw new LostException(
                failure == null
                        ? "the server has closed it"
                        : failure.getClass().getSimpleName());
    }

    private void judge(ServerException said) throws LostException, UnfollowableException {
        switch (said.getErrorCode()) {
            case DENIED ->
                throw new UnfollowableException(
                        GapReason.SET_UP,
                        "the user may not read the log; run: GRANT REPLICATION SLAVE ON *.* TO that user;");
            case REFUSED -> throw new LostException("the server refuses the user or the password");
            case FATAL -> {
                if (!String.valueOf(said.getMessage()).contains("same server")) {
                    throw new UnfollowableException(
                            GapReason.PLACE,
                            "the server no longer has that place in its log, which was purged or reset; keep it"
                                    + " longer (binlog_expire_logs_seconds)");
                }
            }
            default -> {}
        }
        throw new LostException("the server reported error " + said.getErrorCode());
    }

    /** Ends it, without waiting for anybody. */
    void end() {
        ended = true;
        Socket present = socket;
        if (present != null) {
            try {
                present.close();
            } catch (IOException e) {
                // it is thrown away in any case
            }
        }
    }
}
