package io.github.untaken.test.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The way to a server on loopback, which may be slow, cut, dead or forgetful without telling, or lead elsewhere. Thread-safe. */
public final class Network implements AutoCloseable {
    private static final long LOOK_NANOS = 1_000_000;

    private final ServerSocket door;
    private final Set<Flow> flows = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile long delayNanos;
    private volatile boolean dead;
    private volatile boolean holdsNew;
    private volatile boolean isHolding;
    private volatile boolean closed;

    /** To the server at that port. */
    public Network(int target) {
        this.target = target;
        try {
            this.door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inBackground(this::accept);
    }

    /** Where it takes connections. */
    public int port() {
        return door.getLocalPort();
    }

    /** Where new connections lead; those there are stay where they are. */
    public void leadTo(int port) {
        target = port;
    }

    /** Each piece of data, in either direction, arrives so much later. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Ends every connection there is; new ones are made. */
    public void cut() {
        flows.forEach(flow -> {
            close(flow.client);
            close(flow.server);
        });
    }

    /** Connections stay open, and new ones are accepted, but nothing comes through until this is taken back. */
    public void dead(boolean isDead) {
        dead = isDead;
    }

    /**
     * What the connections there are carry is lost from now on, even that one side has gone; new ones are made.
     *
     * @param there what the client sends
     * @param back what the server sends
     */
    public void forget(boolean there, boolean back) {
        flows.forEach(flow -> {
            flow.losesThere |= there;
            flow.losesBack |= back;
        });
    }

    /** New connections are taken, and answered by nobody until this is taken back; those there are go on. */
    public void holdNew(boolean isHeld) {
        holdsNew = isHeld;
    }

    /** Whether a new connection has been held. */
    public boolean isHolding() {
        return isHolding;
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
                "network");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!closed) {
            Flow flow = new Flow(door.accept());
            flows.add(flow);
            inBackground(() -> join(flow));
        }
    }

    private void join(Flow flow) throws IOException {
        while (holdsNew && !flow.client.isClosed()) {
            isHolding = true;
            LockSupport.parkNanos(LOOK_NANOS);
        }
        try {
            flow.server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        } catch (IOException e) {
            close(flow.client);
            throw e;
        }
        inBackground(() -> carry(flow.server, flow.client, () -> flow.losesBack));
        carry(flow.client, flow.server, () -> flow.losesThere);
    }

    /** What is lost is read all the same, or it would be noticed. */
    private void carry(Socket from, Socket to, BooleanSupplier isLost) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        try {
            from.setTcpNoDelay(true);
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                LockSupport.parkNanos(delayNanos);
                while (dead && !to.isClosed()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                if (!isLost.getAsBoolean()) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } finally {
            if (!isLost.getAsBoolean()) {
                close(from);
                close(to);
            }
        }
    }

    private static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it was closed
        }
    }

    @Override
    public void close() {
        closed = true;
        close(door);
        cut();
    }

    /** A connection of a client, with that to the server. */
    private static final class Flow {
        private final Socket client;
        private final Socket server = new Socket();
        private volatile boolean losesThere;
        private volatile boolean losesBack;

        Flow(Socket client) {
            this.client = client;
        }
    }
}
