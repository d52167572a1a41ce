package io.github.untaken.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Passes bytes on until it is cut, and no more after that, without closing anything. */
final class SilentProxy implements AutoCloseable {
    private final int server;
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile boolean cut;

    SilentProxy(int server) throws IOException {
        this.server = server;
        inBackground(() -> {
            while (true) {
                Socket from = listening.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), server());
                sockets.add(from);
                sockets.add(to);
                inBackground(() -> pass(from, to));
                inBackground(() -> pass(to, from));
            }
        });
    }

    private int server() {
        return server;
    }

    int port() {
        return listening.getLocalPort();
    }

    void cut() {
        cut = true;
    }

    /** The connections of before break, and new ones pass again. */
    void mend() throws IOException {
        cut = false; // first: who connects anew must find a way
        for (Socket socket; (socket = sockets.poll()) != null; ) {
            socket.close();
        }
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
                "silent-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8192];
        for (int read; (read = from.getInputStream().read(buffer)) >= 0; ) {
            if (!cut) {
                to.getOutputStream().write(buffer, 0, read);
                to.getOutputStream().flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
