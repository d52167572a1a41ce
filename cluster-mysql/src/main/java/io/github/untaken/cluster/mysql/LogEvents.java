package io.github.untaken.cluster.mysql;

import com.github.luben.zstd.ZstdInputStream;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.ChecksumType;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.RotateEventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of the log and passes them on. It replaces the library's reader, which would read each row of each table, knows no
 * newer column types, and goes on after what it could not read. Here an event of unknown kind or form is never skipped, unless the
 * server itself has marked it as ignorable.
 */
final class LogEvents extends EventDeserializer {
    private static final int QUERY = 2;
    private static final int ROTATE = 4;
    private static final int FORMAT = 15;
    private static final int XID = 16;
    private static final int TABLE_MAP = 19;
    private static final int XA_PREPARE = 38;
    private static final int PAYLOAD = 40;
    private static final int MARIADB_GTID = 162;
    private static final int QUERY_COMPRESSED = 165;

    private static final int ZSTD = 0;
    private static final int PLAIN = 255;

    private static final int IGNORABLE = 0x80;
    private static final int STANDALONE = 1;
    private static final int HEADER = 19;
    private static final int FORMAT_VERSIONS = 52; // before the moment of a start
    private static final int FORMAT_TAIL = 5; // kind of checksum, and room for one

    private final LogListener listener;
    private final RowEvents rows;
    private int checksum;
    private @Nullable UnfollowableException failure;
    private boolean isWithin; // an event, of which some may have been read

    LogEvents(RowEvents rows, LogListener listener) {
        this.rows = rows;
        this.listener = listener;
    }

    /** Why reading has stopped; null if the reason is not in the log itself. */
    @Nullable UnfollowableException failure() {
        return failure;
    }

    @Override
    @Deprecated
    public void setChecksumType(ChecksumType type) {
        checksum = type.getLength();
    }

    /** An event by its header. */
    private record Header(long timestamp, int type, long server, long length, long next, int flags) {
        static Header of(ByteArrayInputStream in) throws IOException {
            return new Header(
                    in.readLong(4),
                    in.readInteger(1),
                    in.readLong(4),
                    in.readLong(4),
                    in.readLong(4),
                    in.readInteger(2));
        }

        EventHeaderV4 forLibrary() {
            EventHeaderV4 header = new EventHeaderV4();
            header.setEventType(type == ROTATE ? EventType.ROTATE : EventType.UNKNOWN);
            header.setServerId(server);
            header.setEventLength(length);
            header.setNextPosition(next);
            return header;
        }
    }

    @Override
    public @Nullable Event nextEvent(ByteArrayInputStream in) throws IOException {
        if (failure != null || isWithin) { // after a timeout the library may read its last bytes once more
            return null; // it takes that for the end
        }
        isWithin = true;
        if (in.peek() == -1) {
            return null;
        }
        Header header = Header.of(in);
        int length = (int) header.length() - HEADER;
        int tail = header.type() == FORMAT ? FORMAT_TAIL : checksum;
        EventData data = null;
        try {
            data = event(header, new Body(in, length - tail), true);
            if (header.type() == FORMAT) {
                checksum = in.read() == 1 ? 4 : 0;
                in.read(4);
            } else {
                in.read(tail);
            }
            if (header.next() != 0 && header.type() != ROTATE) { // those end in the file before
                listener.passed(header.next());
            }
        } catch (UnfollowableException e) {
            failure = e;
            return null;
        } catch (MalformedException | RuntimeException e) {
            failure = new UnfollowableException(
                    GapReason.CONTENT,
                    "the binary log holds an event of type " + header.type() + " in an unknown form ("
                            + e.getClass().getSimpleName() + ')');
            return null;
        }
        isWithin = false;
        return new Event(header.forLibrary(), data);
    }

    /** The rest of an event, which may be left in the stream. */
    private static final class Body {
        private final ByteArrayInputStream in;
        private int left;

        Body(ByteArrayInputStream in, int length) throws MalformedException {
            if (length < 0) {
                throw new MalformedException();
            }
            this.in = in;
            this.left = length;
        }

        /** The next bytes. If the stream ends here, the connection was lost. */
        byte[] read(int length) throws IOException {
            if (length > left) {
                throw new MalformedException();
            }
            left -= length;
            return in.read(length);
        }

        byte[] rest() throws IOException {
            return read(left);
        }

        void skip() throws IOException {
            while (left > 0) {
                read(Math.min(left, 1 << 16));
            }
        }
    }

    /** Something that was read as a whole ends too soon, or makes no sense. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private @Nullable EventData event(Header header, Body body, boolean outside)
            throws IOException, UnfollowableException {
        switch (header.type()) {
            case QUERY -> listener.stated(statement(body.rest(), false));
            case QUERY_COMPRESSED -> listener.stated(statement(body.rest(), true));
            case ROTATE -> {
                ByteArrayInputStream in = new ByteArrayInputStream(body.rest());
                RotateEventData data = parsed(() -> new RotateEventDataDeserializer().deserialize(in));
                listener.file(new LogPlace(data.getBinlogFilename(), data.getBinlogPosition()));
                return data;
            }
            case FORMAT -> {
                body.read(FORMAT_VERSIONS);
                boolean byStart = id(body.read(4)) != 0;
                body.skip();
                listener.begun(header.timestamp(), byStart);
            }
            case XID, XA_PREPARE -> {
                body.skip();
                rows.forget();
                listener.closed();
            }
            case MARIADB_GTID -> {
                byte[] gtid = body.rest();
                if (gtid.length > 12 && (gtid[12] & STANDALONE) == 0) {
                    listener.opened();
                }
            }
            case TABLE_MAP -> {
                byte[] map = body.rest();
                parsed(() -> {
                    rows.described(map);
                    return true;
                });
            }
            case 23, 24, 30, 31, 166, 167, 169, 170 -> rows(header.type(), body);
            case 39 -> {
                if (rows.isWatched(id(body.read(6)))) {
                    throw new UnfollowableException(
                            GapReason.CONTENT,
                            "the binary log holds partial rows; run: SET GLOBAL binlog_row_value_options = '';");
                }
                body.skip();
            }
            case PAYLOAD -> {
                if (!outside) {
                    throw new MalformedException();
                }
                payload(body.rest());
                listener.closed();
            }
            // Memory needs nothing of deleted rows. The others concern the log itself, or precede a statement.
            case 1, 3, 5, 9, 13, 14, 17, 25, 27, 28, 29, 32, 33, 34, 35, 36, 37, 41, 42, 160, 161, 163, 164, 168, 171 ->
                body.skip();
            case 18 -> throw inPlaceOfRows("a LOAD DATA");
            case 26 ->
                throw new UnfollowableException(
                        GapReason.CONTENT,
                        "the binary log reports an incident: the server may have left something out of it");
            default -> {
                if ((header.flags() & IGNORABLE) == 0) {
                    throw new UnfollowableException(
                            GapReason.CONTENT,
                            "the binary log holds an event of type " + header.type()
                                    + ", which this version does not know");
                }
                body.skip();
            }
        }
        return null;
    }

    static UnfollowableException inPlaceOfRows(String what) {
        return new UnfollowableException(
                GapReason.CONTENT,
                "the binary log holds " + what
                        + " in place of the rows that it wrote; find the session that sets binlog_format");
    }

    private void rows(int type, Body body) throws IOException, UnfollowableException {
        byte[] id = body.read(6);
        if (!rows.isWatched(id(id))) {
            body.skip();
            return;
        }
        byte[] rest = body.rest();
        UnfollowableException[] refused = new UnfollowableException[1];
        parsed(() -> {
            try {
                rows.tell(type, id(id), rest, listener);
            } catch (UnfollowableException e) {
                refused[0] = e;
            }
            return true;
        });
        if (refused[0] != null) {
            throw refused[0];
        }
    }

    private static long id(byte[] bytes) {
        long id = 0;
        for (int i = bytes.length - 1; i >= 0; i--) {
            id = id << 8 | bytes[i] & 0xff;
        }
        return id;
    }

    /** Only its ASCII letters are looked at, and these are the same in any character set that it was sent in. */
    private static String statement(byte[] body, boolean compressed) throws IOException {
        return parsed(() -> {
            ByteArrayInputStream in = new ByteArrayInputStream(body);
            in.read(8); // whose it is, and how long it took
            int database = in.readInteger(1);
            in.read(2); // how it ended
            int settings = in.readInteger(2);
            in.read(settings + database + 1);
            byte[] text = in.read(in.available());
            return new String(compressed ? Compressed.inflated(text) : text, StandardCharsets.ISO_8859_1);
        });
    }

    /** A transaction of MySQL, compressed as a whole. */
    private void payload(byte[] body) throws MalformedException, UnfollowableException {
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(body);
            int compression = PLAIN;
            int size = -1;
            for (int field = in.readPackedInteger(); field != 0; field = in.readPackedInteger()) {
                int length = in.readPackedInteger();
                switch (field) {
                    case 1 -> size = in.readPackedInteger();
                    case 2 -> compression = in.readPackedInteger();
                    default -> in.read(length);
                }
            }
            InputStream packed = new java.io.ByteArrayInputStream(in.read(size < 0 ? in.available() : size));
            payload(
                    switch (compression) {
                        case ZSTD -> new ZstdInputStream(packed);
                        case PLAIN -> packed;
                        default -> throw new MalformedException();
                    });
        } catch (IOException e) {
            throw new MalformedException();
        }
    }

    private void payload(InputStream plain) throws IOException, UnfollowableException {
        try (ByteArrayInputStream events = new ByteArrayInputStream(plain)) {
            while (events.peek() != -1) {
                Header header = Header.of(events);
                Body inner = new Body(events, (int) header.length() - HEADER);
                event(header, inner, false);
                inner.skip();
            }
        }
    }

    private interface Parsing<T> {
        T parse() throws IOException;
    }

    /** What is parsed was read as a whole, so reaching its end does not mean that the connection has ended. */
    private static <T> T parsed(Parsing<T> parsing) throws MalformedException {
        try {
            return parsing.parse();
        } catch (IOException e) {
            throw new MalformedException();
        }
    }
}
