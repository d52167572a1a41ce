package io.github.untaken.feeds;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** The way to a server, which may hold connections up, forget them, cut them, and lead elsewhere. */
public final class Network implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean holds;
    private volatile boolean isHolding;
    private volatile int port;
    private final List<Flow> flows = new CopyOnWriteArrayList<>();

    /** To the server at that port. */
    public Network(int port) throws IOException {
        this.port = port;
        start(() -> {
            while (true) {
                Socket here = door.accept();
                await(here);
                Socket there = new Socket(InetAddress.getLoopbackAddress(), this.port);
                Flow flow = new Flow(here, there);
                flows.add(flow);
                start(() -> flow.carry(here, there));
                start(() -> flow.carry(there, here));
            }
        });
    }

    /** Where it takes connections. */
    public int door() {
        return door.getLocalPort();
    }

    /** Connections that are made from now on. */
    public void leadTo(int other) {
        port = other;
    }

    private void await(Socket here) throws IOException {
        try {
            isHolding = holds;
            if (holds) {
                open.await();
            }
        } catch (InterruptedException e) {
            here.close();
        }
    }

    /** From now on connections are taken and answered by nobody. */
    public void holdNew() {
        holds = true;
    }

    public boolean isHolding() {
        return isHolding;
    }

    /** Once. */
    public void letThrough() {
        holds = false;
        open.countDown();
    }

    public void forgetAll() {
        flows.forEach(flow -> flow.forgotten = true);
    }

    /** All that there are. */
    public void cut() throws IOException {
        for (Flow flow : flows) {
            flow.here.close();
            flow.there.close();
        }
        flows.clear();
    }

    @Override
    public void close() throws IOException {
        door.close();
        cut();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static final class Flow {
        private final Socket here;
        private final Socket there;
        private volatile boolean forgotten;

        Flow(Socket here, Socket there) {
            this.here = here;
            this.there = there;
        }

        /** What is forgotten is read all the same: nobody notices. */
        void carry(Socket from, Socket to) throws IOException {
            byte[] bytes = new byte[8192];
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!forgotten) {
                    out.write(bytes, 0, read);
                }
            }
            if (!forgotten) {
                to.close();
            }
        }
    }
}
