package io.github.untaken.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A network between a node and its database, on loopback, which can be slow, cut, or dead without telling. Thread-safe.
 */
final class Proxy implements AutoCloseable {
    private static final long LOOK_NANOS = 1_000_000;

    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Flow> flows = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile long delayNanos;
    private volatile boolean dead;
    private volatile boolean closed;

    Proxy(int target) {
        this.target = target;
        try {
            this.listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inBackground(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Each piece of data, in either direction, arrives so much later. */
    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Ends every connection there is; new ones are made. */
    void cut() {
        sockets.forEach(Proxy::close);
    }

    /** Connections stay open, and new ones are accepted, but nothing comes through until this is taken back. */
    void dead(boolean dead) {
        this.dead = dead;
    }

    /**
     * What the connections there are carry is lost from now on, without a word to either side; new ones are made.
     *
     * @param there what the client sends
     * @param back what the server sends
     */
    void forget(boolean there, boolean back) {
        flows.forEach(flow -> {
            flow.losesThere |= there;
            flow.losesBack |= back;
        });
    }

    /** A connection of a client, with that to the server. */
    private static final class Flow {
        private volatile boolean losesThere;
        private volatile boolean losesBack;
    }

    /** Where new connections lead; those there are stay where they are. */
    void leadTo(int port) {
        target = port;
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void inBackground(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // one side has gone
                    }
                },
                "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!closed) {
            Socket client = listening.accept();
            sockets.add(client);
            inBackground(() -> join(client));
        }
    }

    private void join(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            close(client);
            throw e;
        }
        sockets.add(server);
        Flow flow = new Flow();
        flows.add(flow);
        inBackground(() -> copy(server, client, () -> flow.losesBack));
        try {
            copy(client, server, () -> flow.losesThere);
        } finally {
            flows.remove(flow);
        }
    }

    private void copy(Socket from, Socket to, BooleanSupplier isLost) throws IOException {
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        byte[] buffer = new byte[64 * 1024];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (delayNanos > 0) {
                    LockSupport.parkNanos(delayNanos);
                }
                while (dead && !closed && !to.isClosed()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                if (!isLost.getAsBoolean()) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it was closed
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
        } catch (IOException e) {
            // it was closed
        }
        cut();
    }
}
