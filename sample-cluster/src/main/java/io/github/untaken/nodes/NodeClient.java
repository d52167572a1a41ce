package io.github.untaken.nodes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Talks to one node over a connection that it keeps. Sending and receiving are two calls, so that several nodes can be asked at one
 * moment. Used by one thread.
 */
final class NodeClient implements AutoCloseable {
    private final int port;
    private final int timeoutMillis;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    NodeClient(int port, Duration timeout) {
        this.port = port;
        this.timeoutMillis = (int) timeout.toMillis();
    }

    /** An answer that came in full. */
    record Reply(int status, String body) {}

    Reply get(String path) throws IOException {
        send(path);
        return receive();
    }

    void send(String path) throws IOException {
        write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    Reply post(String path, String form) throws IOException {
        write("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + form.getBytes(UTF_8).length
                + "\r\n\r\n" + form);
        return receive();
    }

    static String coded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private void write(String request) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket(InetAddress.getLoopbackAddress(), port);
            open.setTcpNoDelay(true);
            open.setSoTimeout(timeoutMillis);
            socket = open;
            in = new BufferedInputStream(open.getInputStream());
        }
        try {
            open.getOutputStream().write(request.getBytes(UTF_8));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    Reply receive() throws IOException {
        InputStream open = in;
        if (open == null) {
            throw new IOException("nothing was sent");
        }
        try {
            int status = Integer.parseInt(line(open).split(" ", -1)[1]);
            int length = 0; // an answer without this header has no body
            for (String header = line(open); !header.isEmpty(); header = line(open)) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            header.substring(header.indexOf(':') + 1).strip());
                }
            }
            byte[] body = open.readNBytes(length);
            if (body.length < length) {
                throw new IOException("the node has gone");
            }
            return new Reply(status, new String(body, UTF_8));
        } catch (IOException | RuntimeException e) {
            close(); // a late answer must not be taken for the next one
            throw e;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                throw new IOException("the node has gone");
            }
            if (read != '\r') {
                line.append(new String(new byte[] {(byte) read}, ISO_8859_1));
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it has gone, which is what was wanted
            }
        }
    }
}
