package io.github.untaken.servlet;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

/** Speaks HTTP/2 without TLS frame by frame, so that it can say what no client would. One request, on stream 1. */
final class RawHttp2 {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    private static final short INITIAL_WINDOW_SIZE = 4;
    private static final int ACK = 1;
    private static final int PADDED = 8;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /** Where they stand in the static table of RFC 7541; Tomcat takes them from there alone. */
    private static final Map<String, Integer> STATIC_NAMES =
            Map.of(":authority", 1, ":method", 2, ":path", 4, ":scheme", 6, ":status", 8);

    private RawHttp2() {}

    /** @param fields names and values by turns, in the bytes of ISO 8859-1 */
    static byte[] headers(String... fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            Integer known = STATIC_NAMES.get(fields[i]);
            block.write(known == null ? 0 : known); // a literal, not indexed, with this name or a new one
            if (known == null) {
                string(block, fields[i]);
            }
            string(block, fields[i + 1]);
        }
        return block.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = bytes.length;
        if (length < 127) {
            out.write(length);
        } else {
            out.write(127);
            for (length -= 127; length >= 128; length >>= 7) {
                out.write(length & 127 | 128);
            }
            out.write(length);
        }
        out.writeBytes(bytes);
    }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** What came back for stream 1; status 0 if it was reset, or the connection closed, without an answer. */
    static RawHttp.Answer send(int port, List<byte[]> frames) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(RawHttp.HANGING_MILLIS);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(PREFACE);
            all.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
            frames.forEach(all::writeBytes);
            try {
                socket.getOutputStream().write(all.toByteArray());
                socket.getOutputStream().flush();
            } catch (SocketException e) {
                // Refused while it was still being sent; the answer may be there all the same.
            }
            return answer(socket);
        }
    }

    /** A client that takes no byte of the answer's body for now, nor reads from its connection; see {@link #take}. */
    static Socket sendAndTakeNothing(int port, List<byte[]> frames) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(RawHttp.HANGING_MILLIS);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE);
        byte[] nothing =
                ByteBuffer.allocate(6).putShort(INITIAL_WINDOW_SIZE).putInt(0).array();
        all.writeBytes(frame(SETTINGS, 0, 0, nothing));
        frames.forEach(all::writeBytes);
        socket.getOutputStream().write(all.toByteArray());
        socket.getOutputStream().flush();
        return socket;
    }

    /** From now on the client takes what comes. */
    static RawHttp.Answer take(Socket socket) throws IOException {
        byte[] much = ByteBuffer.allocate(4).putInt(1 << 20).array();
        socket.getOutputStream().write(frame(WINDOW_UPDATE, 0, 1, much));
        socket.getOutputStream().flush();
        return answer(socket);
    }

    private static RawHttp.Answer answer(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        HpackDecoder decoder = new HpackDecoder(1 << 16, System::nanoTime);
        int status = 0;
        Map<String, String> headers = new LinkedHashMap<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            for (boolean open = true; open; ) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == SETTINGS && (flags & ACK) == 0) {
                    socket.getOutputStream().write(frame(SETTINGS, ACK, 0, new byte[0]));
                } else if (type == HEADERS && stream == 1) {
                    MetaData data = decoder.decode(ByteBuffer.wrap(unpadded(payload, flags)));
                    if (data instanceof MetaData.Response response) {
                        status = response.getStatus();
                    }
                    data.getHttpFields()
                            .forEach(field -> headers.put(field.getName().toLowerCase(Locale.ROOT), field.getValue()));
                } else if (type == DATA && stream == 1) {
                    body.writeBytes(unpadded(payload, flags));
                }
                boolean ended = stream == 1 && (type == HEADERS || type == DATA) && (flags & END_STREAM) != 0;
                open = !ended && type != GOAWAY && !(type == RST_STREAM && stream == 1);
            }
        } catch (EOFException | SocketException e) {
            // Closed.
        } catch (HpackException e) {
            throw new AssertionError(e);
        }
        return new RawHttp.Answer(status, headers, body.toString(StandardCharsets.UTF_8));
    }

    private static byte[] unpadded(byte[] payload, int flags) {
        if ((flags & PADDED) == 0) {
            return payload;
        }
        int padding = payload[0] & 255;
        return ByteBuffer.allocate(payload.length - 1 - padding)
                .put(payload, 1, payload.length - 1 - padding)
                .array();
    }
}
