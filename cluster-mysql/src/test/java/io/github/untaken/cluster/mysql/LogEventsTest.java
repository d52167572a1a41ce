package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogEventsTest {
    private final List<LogPlace> files = new ArrayList<>();

    private LogEvents events() {
        return new LogEvents(new RowEvents(List.of(), false), new IgnoringListener() {
            @Override
            public void file(LogPlace place) {
                files.add(place);
            }
        });
    }

    private static byte[] rotation(String file) {
        byte[] name = file.getBytes(StandardCharsets.US_ASCII);
        int length = 19 + 8 + name.length;
        return ByteBuffer.allocate(length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0)
                .put((byte) 4)
                .putInt(1)
                .putInt(length)
                .putInt(0)
                .putShort((short) 0)
                .putLong(4)
                .put(name)
                .array();
    }

    /** Times out at that byte, and then begins anew, as the library's stream over a socket does. */
    private static final class Interrupted extends InputStream {
        private final byte[] bytes;
        private final int at;
        private boolean hasTimedOut;
        private int next;

        Interrupted(byte[] bytes, int at) {
            this.bytes = bytes;
            this.at = at;
        }

        @Override
        public int read() throws IOException {
            if (next == at && !hasTimedOut) {
                hasTimedOut = true;
                next = 0;
                throw new SocketTimeoutException("nothing came");
            }
            return next < bytes.length ? bytes[next++] : -1;
        }

        /** One byte at a time, for a stream that has read some keeps a failure to itself. */
        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = read();
            into[from] = (byte) read;
            return read < 0 ? -1 : 1;
        }
    }

    @Test
    void anEventIsRead() throws IOException {
        events().nextEvent(new ByteArrayInputStream(rotation("log.000002")));
        assertThat(files).containsExactly(new LogPlace("log.000002", 4));
    }

    @Test
    void nothingIsReadOnAfterATimeout() throws IOException {
        byte[] rotation = rotation("log.000002");
        for (int at = 0; at < rotation.length; at++) {
            LogEvents interrupted = events();
            ByteArrayInputStream in = new ByteArrayInputStream(new Interrupted(rotation, at));
            assertThatThrownBy(() -> interrupted.nextEvent(in)).isInstanceOf(SocketTimeoutException.class);
            assertThat(interrupted.nextEvent(in)).isNull();
            assertThat(interrupted.failure()).isNull();
        }
        assertThat(files).isEmpty();
    }
}
