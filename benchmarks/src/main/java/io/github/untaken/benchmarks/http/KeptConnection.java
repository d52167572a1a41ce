package io.github.untaken.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One connection of HTTP/1.1 that is kept open, without pipelining. Understands no more of HTTP than the answers here need: a
 * length is stated, and everything fits into one buffer. So it takes little of the processors it shares with the server.
 */
final class KeptConnection {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

    private final byte[] buffer = new byte[16_384];
    private final InputStream in;
    private final OutputStream out;
    private int filled;

    @SuppressWarnings("resource") // open until the process ends
    KeptConnection(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    /**
     * Asks and reads the whole answer.
     *
     * @throws IOException if it is not 200 with these bytes in it
     */
    void ask(String path, String name, byte[] expected) throws IOException {
        out.write(("GET " + path + "?username=" + name + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        filled = 0;
        int body = head();
        int end = body + length(body);
        while (filled < end) {
            more();
        }
        if (filled != end || !startsWith(0, OK) || !contains(body, expected)) {
            throw new IOException("not the answer expected of " + path + ": "
                    + new String(buffer, 0, filled, StandardCharsets.ISO_8859_1).replace(name, "***"));
        }
    }

    /** Reads up to the empty line; where the body begins. */
    private int head() throws IOException {
        int at = 0;
        while (true) {
            for (; at + 3 < filled; at++) {
                if (buffer[at] == '\r' && buffer[at + 1] == '\n' && buffer[at + 2] == '\r' && buffer[at + 3] == '\n') {
                    return at + 4;
                }
            }
            more();
        }
    }

    private void more() throws IOException {
        int count = in.read(buffer, filled, buffer.length - filled);
        if (count <= 0) {
            throw new EOFException("the server closed a connection, or sent more than " + buffer.length + " bytes");
        }
        filled += count;
    }

    private int length(int body) throws IOException {
        for (int line = 0; line < body; line++) {
            if (buffer[line] == '\n' && startsWith(line + 1, LENGTH)) {
                int length = 0;
                for (int i = line + 1 + LENGTH.length; buffer[i] != '\r'; i++) {
                    if (buffer[i] != ' ') {
                        length = length * 10 + buffer[i] - '0';
                    }
                }
                return length;
            }
        }
        throw new IOException("an answer without a length");
    }

    /** Ignoring the case of letters in the buffer, as lower-case or exact. */
    private boolean startsWith(int from, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            byte there = buffer[from + i];
            if (there != text[i] && (there | 0x20) != text[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean contains(int from, byte[] text) {
        for (int at = from; at + text.length <= filled; at++) {
            if (Arrays.equals(buffer, at, at + text.length, text, 0, text.length)) {
                return true;
            }
        }
        return false;
    }
}
