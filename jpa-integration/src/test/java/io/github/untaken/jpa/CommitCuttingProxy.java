package io.github.untaken.jpa;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a client and a PostgreSQL server on loopback and, once for each {@link #next}, breaks the connection at
 * the COMMIT of a transaction that has written. It reads just enough of the wire protocol to know that message.
 */
final class CommitCuttingProxy implements AutoCloseable {

    /** What happens to the next COMMIT of a writing transaction. */
    enum Fate {
        /** The server carries it out; the client is cut off before it hears so. */
        REPLY_LOST,
        /** The client is cut off and the server never hears of it. */
        COMMIT_LOST,
        /** The client is cut off, and the server receives it when {@link #deliver} is called. */
        DELAYED
    }

    private static final long PATIENCE_SECONDS = 20;
    private static final int ENCRYPTION_BY_TLS = 80_877_103;
    private static final int ENCRYPTION_BY_GSS = 80_877_104;

    private final int serverPort;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicReference<Fate> fate = new AtomicReference<>();
    private final CountDownLatch delivery = new CountDownLatch(1);
    private final CountDownLatch carriedOut = new CountDownLatch(1);

    CommitCuttingProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        inBackground(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void next(Fate what) {
        fate.set(what);
    }

    /** Lets the delayed COMMIT reach the server, and returns when that has carried it out. */
    void deliver() throws InterruptedException {
        delivery.countDown();
        if (!carriedOut.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server has not answered the delayed COMMIT");
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static void inBackground(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException e) {
                        // one side has gone, which is what this is for
                    }
                },
                "commit-cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(server);
            Connection connection = new Connection(client, server);
            inBackground(connection::copyRequests);
            inBackground(connection::copyReplies);
        }
    }

    private final class Connection {
        private final Socket client;
        private final Socket server;
        private final Map<String, String> statements = new HashMap<>();
        private boolean wrote;
        private volatile boolean cut;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void copyRequests() throws IOException, InterruptedException {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            int code;
            do { // a request for encryption may come first
                byte[] message = in.readNBytes(8);
                ByteBuffer head = ByteBuffer.wrap(message);
                int length = head.getInt();
                code = head.getInt();
                out.write(message);
                out.write(in.readNBytes(length - 8));
                out.flush();
            } while (code == ENCRYPTION_BY_TLS || code == ENCRYPTION_BY_GSS);
            while (true) {
                int type = in.read();
                if (type < 0) {
                    server.shutdownOutput();
                    return;
                }
                int length = in.readInt();
                byte[] body = in.readNBytes(length - 4);
                if (isCommit(type, body) && wrote) {
                    wrote = false;
                    Fate meant = fate.getAndSet(null);
                    if (meant != null) {
                        meet(meant, type, length, body, in, out);
                        return;
                    }
                }
                send(type, length, body, out);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        }

        /** The COMMIT in full: what the driver sends up to the point where it waits for an answer. */
        private void meet(Fate meant, int type, int length, byte[] body, DataInputStream in, OutputStream out)
                throws IOException, InterruptedException {
            cut = true;
            if (meant == Fate.COMMIT_LOST) {
                client.close();
                server.close();
                return;
            }
            if (meant == Fate.REPLY_LOST) {
                send(type, length, body, out);
                forwardUntilSync(type, in, out);
                return; // the answer cuts the client off
            }
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            send(type, length, body, kept);
            forwardUntilSync(type, in, kept);
            client.close();
            if (delivery.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                kept.writeTo(out);
                out.flush();
            }
        }

        private void forwardUntilSync(int first, DataInputStream in, OutputStream out) throws IOException {
            int type = first;
            while (type != 'S' && type != 'Q') {
                type = in.read();
                int length = in.readInt();
                send(type, length, in.readNBytes(length - 4), out);
            }
            out.flush();
        }

        private void send(int type, int length, byte[] body, OutputStream out) throws IOException {
            out.write(ByteBuffer.allocate(5).put((byte) type).putInt(length).array());
            out.write(body);
        }

        private boolean isCommit(int type, byte[] body) {
            String sql = sql(type, body);
            if (sql.startsWith("insert") || sql.startsWith("update") || sql.startsWith("delete")) {
                wrote = true;
            } else if (sql.startsWith("rollback")) {
                wrote = false;
            }
            return sql.startsWith("commit");
        }

        /** The statement that a message makes or runs, or nothing. */
        private String sql(int type, byte[] body) {
            switch (type) {
                case 'Q':
                    return text(body, 0).toLowerCase(Locale.ROOT);
                case 'P': {
                    String name = text(body, 0);
                    String sql = text(body, name.length() + 1).toLowerCase(Locale.ROOT);
                    statements.put(name, sql);
                    return sql;
                }
                case 'B': {
                    String portal = text(body, 0);
                    return statements.getOrDefault(text(body, portal.length() + 1), "");
                }
                default:
                    return "";
            }
        }

        private String text(byte[] body, int from) {
            int end = from;
            while (body[end] != 0) {
                end++;
            }
            return new String(body, from, end - from, StandardCharsets.ISO_8859_1);
        }

        void copyReplies() throws IOException {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[8192];
            int read;
            while ((read = in.read(buffer)) >= 0) {
                if (cut) {
                    // The server has answered the COMMIT, so it has carried it out.
                    client.close();
                    server.close();
                    carriedOut.countDown();
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
            client.close();
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
