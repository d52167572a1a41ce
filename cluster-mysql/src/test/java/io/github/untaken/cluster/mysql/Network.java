package io.github.untaken.cluster.mysql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Between a feed and the server of the tests. */
final class Network implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean holds;
    private volatile boolean isHolding;
    private final List<Flow> flows = new CopyOnWriteArrayList<>();

    Network() throws IOException {
        start(() -> {
            while (true) {
                Socket here = door.accept();
                await(here);
                Socket there = new Socket(InetAddress.getLoopbackAddress(), TestServer.RUNNING.port());
                Flow flow = new Flow(here, there);
                flows.add(flow);
                start(() -> flow.carry(here, there));
                start(() -> flow.carry(there, here));
            }
        });
    }

    String url() {
        return TestServer.url().replace(":" + TestServer.RUNNING.port(), ":" + door.getLocalPort());
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
    void holdNew() {
        holds = true;
    }

    boolean isHolding() {
        return isHolding;
    }

    /** Once. */
    void letThrough() {
        holds = false;
        open.countDown();
    }

    void forgetAll() {
        flows.forEach(flow -> flow.forgotten = true);
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Flow flow : flows) {
            flow.here.close();
            flow.there.close();
        }
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
