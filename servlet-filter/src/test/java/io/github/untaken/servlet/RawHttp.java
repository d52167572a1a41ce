package io.github.untaken.servlet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends bytes that a well-behaved client would not send, and reads whatever comes until the server closes. */
final class RawHttp {
    private static final int PATIENCE_MILLIS = 60_000;

    /** After which a hostile request is said to hang. */
    static final int HANGING_MILLIS = 5000;

    private RawHttp() {}

    /**
     * An answer.
     *
     * @param headers by lower-case name
     */
    record Answer(int status, Map<String, String> headers, String body) {}

    /** @param request its characters are the bytes; must make the server close the connection */
    static Answer send(int port, String request) throws IOException {
        return send(port, request.getBytes(StandardCharsets.ISO_8859_1));
    }

    static Answer send(int port, byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
            return parse(readAll(socket.getInputStream()));
        }
    }

    /** As {@link #send}, but a connection closed without an answer is one of status 0, and silence ends sooner. */
    static Answer sendAnything(int port, byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(HANGING_MILLIS);
            try {
                socket.getOutputStream().write(request);
                socket.getOutputStream().flush();
            } catch (SocketException e) {
                // Refused while it was still being sent; the answer may be there all the same.
            }
            byte[] answer;
            try {
                answer = readAll(socket.getInputStream());
            } catch (SocketException e) {
                answer = new byte[0];
            }
            String text = new String(answer, StandardCharsets.ISO_8859_1);
            if (text.startsWith("HTTP/1.1 100") && text.contains("\r\n\r\n")) {
                text = text.substring(text.indexOf("\r\n\r\n") + 4);
                answer = text.getBytes(StandardCharsets.ISO_8859_1);
            }
            return text.startsWith("HTTP/1.") && text.contains("\r\n\r\n")
                    ? parse(answer)
                    : new Answer(0, new LinkedHashMap<>(), text);
        }
    }

    /** Sends many requests over one connection, the last of which must make the server close it; all that comes back. */
    static String sendMany(int port, String requests) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            Thread sender = new Thread(() -> {
                try {
                    socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                } catch (IOException e) {
                    // What is missing in the answer tells.
                }
            });
            sender.start();
            return new String(readAll(socket.getInputStream()), StandardCharsets.ISO_8859_1);
        }
    }

    /** Sends each part in a packet of its own; all that comes back until the server closes. */
    static String sendInParts(int port, String... parts) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            for (String part : parts) {
                socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            }
            return new String(readAll(socket.getInputStream()), StandardCharsets.ISO_8859_1);
        }
    }

    /** A request without a body. */
    static Answer send(int port, String method, String target) throws IOException {
        return send(port, method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            in.transferTo(all);
        } catch (SocketException e) {
            // A server that refuses a body resets the connection after its answer.
            if (all.size() == 0) {
                throw e;
            }
        }
        return all.toByteArray();
    }

    private static Answer parse(byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("no answer, but '" + text + "'");
        }
        String[] lines = text.substring(0, end).split("\r\n");
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.merge(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip(),
                    (a, b) -> a + ", " + b);
        }
        String body = new String(answer, end + 4, answer.length - end - 4, StandardCharsets.UTF_8);
        return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, body);
    }
}
