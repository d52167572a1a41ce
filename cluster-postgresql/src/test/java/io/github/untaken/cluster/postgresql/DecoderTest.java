package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feed.UnfollowableException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecoderTest {
    private static final int TABLE = -5; // oids have no sign

    private final List<String> heard = new ArrayList<>();
    private final Decoder decoder = new Decoder(
            new Relations(Map.of(TABLE, List.of(new WatchedColumn(IdentifierKind.USERNAME, "username", false)))),
            new LogListener() {
                @Override
                public void wrote(IdentifierKind kind, String value) {
                    heard.add(kind + " " + value);
                }

                @Override
                public void message(String prefix, byte[] content) {
                    heard.add(prefix + " " + new String(content, StandardCharsets.UTF_8));
                }

                @Override
                public void passed(long place) {
                    heard.add("passed " + place);
                }

                @Override
                public void committed(long end) {
                    heard.add("committed " + end);
                }
            });

    private static final byte[] BEGIN = message(out -> {
        out.writeByte('B');
        out.writeLong(1);
        out.writeLong(2);
        out.writeInt(42);
    });
    private static final byte[] COMMIT = message(out -> {
        out.writeByte('C');
        out.writeByte(0);
        out.writeLong(1);
        out.writeLong(9);
        out.writeLong(2);
    });
    private static final byte[] RELATION = relation("id", "username");
    private static final byte[] INSERT = message(out -> {
        out.writeByte('I');
        out.writeInt(TABLE);
        out.writeByte('N');
        row(out, "1", "alice");
    });
    private static final byte[] UPDATE = message(out -> {
        out.writeByte('U');
        out.writeInt(TABLE);
        out.writeByte('O');
        row(out, "1", "alice");
        out.writeByte('N');
        row(out, "1", "bob");
    });
    private static final byte[] MESSAGE = message(out -> {
        out.writeByte('M');
        out.writeByte(1);
        out.writeLong(5);
        word(out, "untaken");
        out.writeInt(2);
        out.writeBytes("hi");
    });

    @Test
    void tellsOfNewValuesOnly() throws UnfollowableException {
        decode(BEGIN, RELATION, INSERT, UPDATE, MESSAGE, COMMIT);
        assertThat(heard).containsExactly("username alice", "username bob", "untaken hi", "committed 9");
    }

    /** Such as a mark that is only flushed, or the heartbeat of another program. */
    @Test
    void aMessageOutsideOfAnyTransactionIsToldBeforeItIsPassed() throws UnfollowableException {
        byte[] alone = MESSAGE.clone();
        alone[1] = 0;
        decode(alone, BEGIN, COMMIT, alone);
        assertThat(heard).containsExactly("untaken hi", "passed 5", "committed 9", "untaken hi", "passed 5");
    }

    @Test
    void aMessageOfAnUnknownTypeIsNotSkipped() throws UnfollowableException {
        decode(BEGIN, RELATION);
        for (int type = 0; type < 256; type++) {
            if ("BCRIUMDTYO".indexOf(type) < 0) {
                byte[] unknown = {(byte) type, 1, 2, 3};
                assertThatThrownBy(() -> decode(unknown)).isInstanceOf(UnfollowableException.class);
            }
        }
    }

    /** Each of them, cut off anywhere or with something added. */
    @Test
    void aMessageOfAnotherLengthIsRefused() throws UnfollowableException {
        decode(BEGIN, RELATION);
        for (byte[] whole : List.of(RELATION, INSERT, UPDATE, MESSAGE, COMMIT)) {
            for (int length = 0; length < whole.length; length++) {
                byte[] part = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> decode(part)).isInstanceOf(UnfollowableException.class);
            }
            assertThatThrownBy(() -> decode(Arrays.copyOf(whole, whole.length + 1)))
                    .isInstanceOf(UnfollowableException.class);
        }
    }

    @Test
    void whatStandsOutsideOfATransactionIsRefused() throws UnfollowableException {
        for (byte[] message : List.of(INSERT, COMMIT, MESSAGE)) {
            assertThatThrownBy(() -> decode(message)).isInstanceOf(UnfollowableException.class);
        }
        decode(BEGIN);
        assertThatThrownBy(() -> decode(INSERT)).hasMessageContaining("not described");
        assertThatThrownBy(() -> decode(BEGIN)).isInstanceOf(UnfollowableException.class);
    }

    @Test
    void aTableWithoutItsColumnIsRefused() {
        assertThatThrownBy(() -> decode(BEGIN, relation("id", "login")))
                .hasMessageContaining("column username of public.account");
    }

    @Test
    void bytesThatAreNoTextAreRefusedAndNotQuoted() throws UnfollowableException {
        decode(BEGIN, RELATION);
        byte[] broken = INSERT.clone();
        broken[broken.length - 1] = (byte) 0xff;
        assertThatThrownBy(() -> decode(broken))
                .isInstanceOf(UnfollowableException.class)
                .hasMessageNotContaining("alic");
    }

    private void decode(byte[]... messages) throws UnfollowableException {
        for (byte[] message : messages) {
            decoder.decode(ByteBuffer.wrap(message));
        }
    }

    private interface Body {
        void writeTo(DataOutputStream out) throws IOException;
    }

    private static byte[] message(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            body.writeTo(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] relation(String... columns) {
        return message(out -> {
            out.writeByte('R');
            out.writeInt(TABLE);
            word(out, "public");
            word(out, "account");
            out.writeByte('d');
            out.writeShort(columns.length);
            for (String column : columns) {
                out.writeByte(0);
                word(out, column);
                out.writeInt(25);
                out.writeInt(-1);
            }
        });
    }

    private static void row(DataOutputStream out, String... values) throws IOException {
        out.writeShort(values.length);
        for (String value : values) {
            out.writeByte('t');
            out.writeInt(value.length());
            out.writeBytes(value);
        }
    }

    private static void word(DataOutputStream out, String word) throws IOException {
        out.writeBytes(word);
        out.writeByte(0);
    }
}
