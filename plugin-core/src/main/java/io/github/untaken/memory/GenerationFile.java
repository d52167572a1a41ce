package io.github.untaken.memory;

import io.github.untaken.filter.CuckooBlank;
import io.github.untaken.filter.CuckooImage;
import io.github.untaken.text.Fold;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.IntStream;
import javax.crypto.Mac;

/**
 * One generation in a file. A key makes it unforgeable, and it holds no identifier.
 *
 * <p>Blocks for about as long as the disk takes; reading uses the common pool as well as the caller.
 */
/*
 * The format, big-endian except for the words: eight bytes for format and version; the length of the head, four bytes;
 * the head; its code; the words of all tables, little-endian; the code of the whole file. A code is an HMAC-SHA-256.
 * The head's code comes first, so that nothing is allocated on a forger's word. The last code covers the head's code
 * and the digests of the tables' parts, one MiB each, because digests can be computed in parallel.
 *
 * A valid file proves that a process with the key wrote these words under this head. It does not prove to be the
 * newest: an older file names an older position, and the feed must be able to continue from there.
 */
final class GenerationFile {
    private static final byte[] FORMAT = "UNTAKEN\4".getBytes(StandardCharsets.ISO_8859_1);
    private static final int BEFORE_HEAD = FORMAT.length + Integer.BYTES;
    private static final int PART_WORDS = 1 << 17;

    private GenerationFile() {}

    /**
     * Writes what {@link Generation#keepable()} returned.
     *
     * @param position asked for before the generation was
     */
    static void write(
            FileChannel out,
            SnapshotKey key,
            GenerationFacts facts,
            Scanned scanned,
            String position,
            Generation.Keepable kept)
            throws IOException {
        byte[] head = head(facts, scanned, position, kept);
        Mac mac = key.codes();
        ByteBuffer before = start(head.length);
        byte[] code = codeOfHead(mac, before, head);
        SnapshotFolder.writeAll(out, before);
        SnapshotFolder.writeAll(out, ByteBuffer.wrap(head));
        SnapshotFolder.writeAll(out, ByteBuffer.wrap(code));
        mac.update(code);
        writeTables(out, kept.tables(), mac);
        SnapshotFolder.writeAll(out, ByteBuffer.wrap(mac.doFinal()));
    }

    private static byte[] head(GenerationFacts facts, Scanned scanned, String position, Generation.Keepable kept)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(bytes);
        facts.write(head);
        head.writeUTF(scanned.database());
        head.writeLong(scanned.at().toEpochMilli());
        head.writeUTF(position);
        kept.beside().write(head);
        kept.tables().writeShape(head);
        head.flush();
        return bytes.toByteArray();
    }

    private static ByteBuffer start(int headLength) {
        return ByteBuffer.allocate(BEFORE_HEAD).put(FORMAT).putInt(headLength).flip();
    }

    private static byte[] codeOfHead(Mac mac, ByteBuffer before, byte[] head) {
        mac.update(before.duplicate());
        return mac.doFinal(head);
    }

    private static void writeTables(FileChannel out, CuckooImage tables, Mac mac) throws IOException {
        long[] words = new long[tables.words()];
        ByteBuffer part = ByteBuffer.allocate(Math.min(words.length, PART_WORDS) * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        MessageDigest digest = sha256();
        for (int table = 0; table < tables.tables(); table++) {
            tables.copy(table, words);
            for (int at = 0; at < words.length; at += PART_WORDS) {
                int size = Math.min(PART_WORDS, words.length - at);
                part.clear().limit(size * Long.BYTES);
                part.asLongBuffer().put(words, at, size);
                digest.update(part.duplicate());
                mac.update(digest.digest());
                SnapshotFolder.writeAll(out, part);
            }
        }
    }

    /**
     * Reads a generation back and checks all of it.
     *
     * @param byKey the fold for a generation that makes texts equal by their keys
     * @param limits how much it keeps beside its filter
     * @throws SnapshotRefusedException if it is torn, forged, of another key or format, or does not fit the facts
     */
    static KeptGeneration read(
            FileChannel in, SnapshotKey key, GenerationFacts facts, Fold byKey, Generation.Limits limits)
            throws IOException {
        try {
            return readChecked(in, key, facts, byKey, limits);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static KeptGeneration readChecked(
            FileChannel in, SnapshotKey key, GenerationFacts facts, Fold byKey, Generation.Limits limits)
            throws IOException {
        Mac mac = key.codes();
        byte[] head = readHead(in);
        byte[] code = codeOfHead(mac, start(head.length), head);
        require(code, in, BEFORE_HEAD + (long) head.length);
        DataInputStream content = new DataInputStream(new ByteArrayInputStream(head));
        GenerationFacts then = GenerationFacts.read(content);
        String objection = facts.objection(then).orElse("");
        if (!objection.isEmpty()) {
            throw new SnapshotRefusedException(objection);
        }
        Scanned scanned = new Scanned(content.readUTF(), Instant.ofEpochMilli(content.readLong()));
        String position = content.readUTF();
        GenerationImage beside = GenerationImage.read(content);
        CuckooBlank tables = new CuckooBlank(content);
        mac.update(code);
        readTables(in, BEFORE_HEAD + (long) head.length + code.length, tables, mac);
        Generation generation = Generation.restored(
                beside.letters().map(Fold.class::cast).orElse(byKey),
                key.hasher(then.algorithm(), beside.salt()),
                beside,
                tables.filter(),
                limits);
        return new KeptGeneration(generation, scanned, position);
    }

    private static byte[] readHead(FileChannel in) throws IOException {
        ByteBuffer before = ByteBuffer.allocate(BEFORE_HEAD);
        SnapshotFolder.readAll(in, before, 0);
        byte[] format = Arrays.copyOf(before.array(), FORMAT.length);
        if (!Arrays.equals(format, FORMAT)) {
            throw new SnapshotRefusedException("it has another format");
        }
        int length = before.getInt(FORMAT.length);
        if (length < 0 || length > in.size()) {
            throw new SnapshotRefusedException("it is incomplete");
        }
        byte[] head = new byte[length];
        SnapshotFolder.readAll(in, ByteBuffer.wrap(head), BEFORE_HEAD);
        return head;
    }

    private static void readTables(FileChannel in, long from, CuckooBlank tables, Mac mac) throws IOException {
        int partsOfEach = (tables.words() + PART_WORDS - 1) / PART_WORDS;
        byte[][] digests = new byte[tables.tables() * partsOfEach][];
        IntStream.range(0, digests.length).parallel().forEach(i -> {
            int table = i / partsOfEach;
            int at = i % partsOfEach * PART_WORDS;
            digests[i] = readPart(in, from + ((long) table * tables.words() + at) * Long.BYTES, tables, table, at);
        });
        for (byte[] digest : digests) {
            mac.update(digest);
        }
        long end = from + (long) tables.tables() * tables.words() * Long.BYTES;
        if (in.size() != end + SnapshotKey.CODE_BYTES) {
            throw new SnapshotRefusedException("its length differs from what was written");
        }
        require(mac.doFinal(), in, end);
    }

    private static byte[] readPart(FileChannel in, long from, CuckooBlank tables, int table, int at) {
        int size = Math.min(PART_WORDS, tables.words() - at);
        ByteBuffer part = ByteBuffer.allocate(size * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try {
            SnapshotFolder.readAll(in, part, from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        part.flip();
        tables.fill(table, at, part.asLongBuffer());
        return sha256().digest(part.array());
    }

    private static void require(byte[] code, FileChannel in, long at) throws IOException {
        byte[] kept = new byte[SnapshotKey.CODE_BYTES];
        SnapshotFolder.readAll(in, ByteBuffer.wrap(kept), at);
        if (!MessageDigest.isEqual(code, kept)) {
            throw new SnapshotRefusedException("it is damaged or forged, or was sealed with another key");
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256, but this one fails", e);
        }
    }
}
