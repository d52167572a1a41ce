package io.github.untaken.memory;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.text.Fold;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Generations kept in a folder private to this process's user: one file for each kind, and their secret in a file of
 * its own. They hold hashes under that secret, no identifiers.
 *
 * <p>All calls block. One thread at a time for each kind.
 */
public final class Snapshots implements AutoCloseable {
    private final SnapshotFolder folder;
    private final FileChannel lock;
    private final SnapshotKey key;

    private Snapshots(SnapshotFolder folder, FileChannel lock, SnapshotKey key) {
        this.folder = folder;
        this.lock = lock;
        this.key = key;
    }

    /**
     * Opens the folder; creates it and the secret if they are missing. Nobody else can open it until it is closed.
     *
     * @param path not a link; its parent must exist
     * @throws IOException if that fails, if others may write to the folder or read the secret, or if another checker
     *     has it open
     */
    public static Snapshots open(Path path) throws IOException {
        SnapshotFolder folder = SnapshotFolder.open(path);
        FileChannel lock = folder.lock();
        try {
            return new Snapshots(folder, lock, folder.key());
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Makes generations that can be kept here if their filter is {@link FilterType#CUCKOO}. */
    public GenerationFactory generations(FilterType type, HashAlgorithm algorithm, Generation.Limits limits) {
        return GenerationFactory.keepable(type, algorithm, limits, key);
    }

    /**
     * Keeps a generation in place of the previous one; it may grow meanwhile. It is on disk when this returns.
     *
     * @param position how far the feed has reported; asked before anything is copied, because later reports may be
     *     missing
     * @return that position; empty, and no change, if there is none, or if the generation is not from
     *     {@link #generations} or has another filter
     */
    public Optional<String> keep(
            GenerationFacts facts, Scanned scanned, Supplier<Optional<String>> position, Generation generation)
            throws IOException {
        Optional<String> reached = position.get();
        Optional<Generation.Keepable> kept = generation.keepable();
        if (reached.isEmpty() || kept.isEmpty()) {
            return Optional.empty();
        }
        folder.replace(
                file(facts.kind()), out -> GenerationFile.write(out, key, facts, scanned, reached.get(), kept.get()));
        return reached;
    }

    /**
     * The generation kept for these facts; empty if there is none.
     *
     * @param byKey the fold for a generation that makes texts equal by their keys
     * @throws SnapshotRefusedException if it is not trusted, or does not fit
     */
    public Optional<KeptGeneration> read(GenerationFacts facts, Fold byKey, Generation.Limits limits)
            throws IOException {
        String file = file(facts.kind());
        if (!folder.holds(file)) {
            return Optional.empty();
        }
        try (FileChannel in = folder.reading(file)) {
            return Optional.of(GenerationFile.read(in, key, facts, byKey, limits));
        }
    }

    public void forget(String kind) throws IOException {
        folder.delete(file(kind));
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /** Safe for any characters in a kind's name. */
    private static String file(String kind) {
        return "generation-" + HexFormat.of().formatHex(kind.getBytes(StandardCharsets.UTF_8));
    }
}
