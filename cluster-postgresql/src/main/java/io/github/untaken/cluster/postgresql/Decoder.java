package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.GapReason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the messages of PostgreSQL's output plugin {@code pgoutput}, version 1 of its protocol: only committed transactions, each
 * as a whole. A message of another kind or form is never skipped.
 *
 * <p>Deletions and truncations tell nothing that memory needs, since it only grows. Nor does an unchanged value, which is not sent
 * where it is stored apart from its row: it has been told when it was written, or was there before the scan.
 */
final class Decoder {
    private final Relations relations;
    private final LogListener listener;
    private final CharsetDecoder text = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed
    private boolean open;

    Decoder(Relations relations, LogListener listener) {
        this.relations = relations;
        this.listener = listener;
    }

    /** @throws UnfollowableException if it is not known what the message says */
    void decode(ByteBuffer message) throws UnfollowableException {
        char type = '?';
        try {
            type = (char) (message.get() & 0xff);
            decode(type, message);
        } catch (BufferUnderflowException | IndexOutOfBoundsException | CharacterCodingException e) {
            throw malformed(type);
        }
    }

    private void decode(char type, ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        switch (type) {
            case 'B' -> begin(message);
            case 'C' -> commit(message);
            case 'R' -> relation(message);
            case 'I' -> insert(message);
            case 'U' -> update(message);
            case 'M' -> message(message);
            case 'D', 'T', 'Y', 'O' -> demand(type, open); // deleted, truncated, a type, an origin
            default ->
                throw new UnfollowableException(
                        GapReason.CONTENT,
                        "PostgreSQL's log holds a message of type '" + type + "', which this version does not know");
        }
    }

    private void begin(ByteBuffer message) throws UnfollowableException {
        demand('B', !open);
        message.getLong(); // where its commit stands
        message.getLong(); // its time
        int xid = message.getInt();
        ended('B', message);
        open = true;
        listener.begins(xid);
    }

    private void commit(ByteBuffer message) throws UnfollowableException {
        demand('C', open);
        message.get(); // no flags yet
        message.getLong(); // where it stands
        long end = message.getLong();
        message.getLong(); // its time
        ended('C', message);
        open = false;
        listener.committed(end);
    }

    private void relation(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        int oid = message.getInt();
        String schema = word(message);
        String table = word(message);
        message.get(); // its replica identity
        List<String> columns = new ArrayList<>();
        for (int left = message.getShort(); left > 0; left--) {
            message.get(); // whether it is in the replica identity
            columns.add(word(message));
            message.getInt(); // its type
            message.getInt();
        }
        ended('R', message);
        relations.described(oid, schema + '.' + table, columns);
    }

    private void insert(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        demand('I', open);
        Relations.Shape shape = relations.of(message.getInt());
        expect('N', message.get(), 'I');
        row(message, shape, 'I', true);
        ended('I', message);
    }

    private void update(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        demand('U', open);
        Relations.Shape shape = relations.of(message.getInt());
        byte part = message.get();
        if (part == 'K' || part == 'O') {
            row(message, shape, 'U', false); // the old row, or its key
            part = message.get();
        }
        expect('N', part, 'U');
        row(message, shape, 'U', true);
        ended('U', message);
    }

    private void row(ByteBuffer message, Relations.Shape shape, char type, boolean isNew)
            throws UnfollowableException, CharacterCodingException {
        demand(type, message.getShort() == shape.columns().size());
        for (Relations.Held column : shape.columns()) {
            switch (message.get()) {
                case 'n', 'u' -> {}
                case 't' -> {
                    ByteBuffer value = part(message, size(message.getInt(), type));
                    if (isNew && !column.kinds().isEmpty()) {
                        String sent = text.decode(value).toString();
                        String read = column.padded() ? withoutBlanks(sent) : sent;
                        column.kinds().forEach(kind -> listener.wrote(kind, read));
                    }
                }
                default -> throw malformed(type);
            }
        }
    }

    private void message(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        byte flags = message.get();
        long place = message.getLong();
        String prefix = word(message);
        byte[] content = new byte[size(message.getInt(), 'M')];
        message.get(content);
        ended('M', message);
        if (flags != 0) {
            demand('M', open);
            listener.message(prefix, content);
        } else if (!open) { // it belongs to no transaction, and is none of ours
            listener.passed(place);
        }
    }

    private String word(ByteBuffer message) throws CharacterCodingException {
        int length = 0;
        while (message.get(message.position() + length) != 0) {
            length++;
        }
        String word = text.decode(part(message, length)).toString();
        message.get();
        return word;
    }

    /** As the database itself reads and compares it. */
    private static String withoutBlanks(String value) {
        int end = value.length();
        while (end > 0 && value.charAt(end - 1) == ' ') {
            end--;
        }
        return value.substring(0, end);
    }

    private static ByteBuffer part(ByteBuffer message, int length) {
        if (length > message.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer part = message.slice().limit(length);
        message.position(message.position() + length);
        return part;
    }

    private static int size(int size, char type) throws UnfollowableException {
        if (size < 0) {
            throw malformed(type);
        }
        return size;
    }

    private static void expect(char expected, byte found, char type) throws UnfollowableException {
        demand(type, found == expected);
    }

    private static void ended(char type, ByteBuffer message) throws UnfollowableException {
        demand(type, !message.hasRemaining());
    }

    private static void demand(char type, boolean asItShouldBe) throws UnfollowableException {
        if (!asItShouldBe) {
            throw malformed(type);
        }
    }

    private static UnfollowableException malformed(char type) {
        return new UnfollowableException(
                GapReason.CONTENT, "PostgreSQL's log holds a message of type '" + type + "' in an unknown form");
    }
}
