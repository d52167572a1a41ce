package io.github.untaken.cluster.postgresql;

import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of PostgreSQL's output plugin {@code pgoutput}, version 1 of its protocol: only committed transactions, each
 * as a whole. A message of another kind or form is never skipped.
 *
 * <p>Memory needs neither deletions nor truncations, since it only grows. Nor does it need an unchanged value that is stored apart
 * from its row, and so not sent: it was told when it was written, or was there before the scan. The exception is a row that gets
 * another primary key: a scan in pages may have passed the row's new place before it has come to the old one.
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

    /** @throws UnfollowableException if the message is not understood */
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
        message.getInt(); // its number
        ended('B', message);
        open = true;
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
        byte identity = message.get();
        List<String> columns = new ArrayList<>();
        for (int left = message.getShort(); left > 0; left--) {
            message.get(); // whether it is in the replica identity
            columns.add(word(message));
            message.getInt(); // its type
            message.getInt();
        }
        ended('R', message);
        // Otherwise updates do not show whether the primary key has changed.
        boolean sendsOldKeys = identity == 'd' || identity == 'f';
        relations.described(oid, schema + '.' + table, columns, sendsOldKeys);
    }

    private void insert(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        demand('I', open);
        Relations.Shape shape = relations.of(message.getInt());
        expect('N', message.get(), 'I');
        row(message, shape, 'I', Map.of(), true);
        ended('I', message);
    }

    private void update(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        demand('U', open);
        Relations.Shape shape = relations.of(message.getInt());
        byte part = message.get();
        Map<Integer, ByteBuffer> old = Map.of();
        boolean mayMove = !shape.sendsOldKeys();
        if (part == 'K' || part == 'O') {
            old = old(message, shape);
            mayMove = true;
            part = message.get();
        }
        expect('N', part, 'U');
        row(message, shape, 'U', old, mayMove);
        ended('U', message);
    }

    /** The values sent of the old row, or of its key, by the column's place. */
    private static Map<Integer, ByteBuffer> old(ByteBuffer message, Relations.Shape shape)
            throws UnfollowableException {
        demand('U', message.getShort() == shape.columns().size());
        Map<Integer, ByteBuffer> old = new HashMap<>();
        for (int i = 0; i < shape.columns().size(); i++) {
            switch (message.get()) {
                case 'n', 'u' -> {}
                case 't' -> old.put(i, part(message, size(message.getInt(), 'U')));
                default -> throw malformed('U');
            }
        }
        return old;
    }

    private void row(
            ByteBuffer message, Relations.Shape shape, char type, Map<Integer, ByteBuffer> old, boolean mayMove)
            throws UnfollowableException, CharacterCodingException {
        demand(type, message.getShort() == shape.columns().size());
        for (int i = 0; i < shape.columns().size(); i++) {
            Relations.Held column = shape.columns().get(i);
            switch (message.get()) {
                case 'n' -> {}
                case 'u' -> unchanged(column, old.get(i), mayMove);
                case 't' -> tell(column, part(message, size(message.getInt(), type)));
                default -> throw malformed(type);
            }
        }
    }

    private void unchanged(Relations.Held column, @Nullable ByteBuffer old, boolean mayMove)
            throws UnfollowableException, CharacterCodingException {
        if (old != null) {
            tell(column, old);
        } else if (mayMove && !column.kinds().isEmpty()) {
            throw new UnfollowableException(
                    GapReason.CONTENT,
                    "PostgreSQL's log leaves out the long value of a row whose primary key may have changed");
        }
    }

    private void tell(Relations.Held column, ByteBuffer value) throws CharacterCodingException {
        if (!column.kinds().isEmpty()) {
            String sent = text.decode(value).toString();
            String read = column.padded() ? withoutBlanks(sent) : sent;
            column.kinds().forEach(kind -> listener.wrote(kind, read));
        }
    }

    private void message(ByteBuffer message) throws UnfollowableException, CharacterCodingException {
        byte flags = message.get();
        long place = message.getLong();
        String prefix = word(message);
        byte[] content = new byte[size(message.getInt(), 'M')];
        message.get(content);
        ended('M', message);
        demand('M', open == (flags != 0)); // a message outside all transactions is never sent within one
        listener.message(prefix, content);
        if (!open) {
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
