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
 * Generations kept in a folder of this process's user alone, one file for each kind, and the secret of them in one of its own. They
 * hold hashes under that secret, no identifiers.
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
     * Opens the folder, and makes it and the secret if they are not there. Until it is closed nobody else can.
     *
     * @param path no link; its parent must exist
     * @throws IOException if that fails, or others may write the folder or read the secret, or another
     *     checker has opened it
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

    /** Of generations that can be kept here, if their filter is {@link FilterType#CUCKOO}. */
    public GenerationFactory generations(FilterType type, HashAlgorithm algorithm, Generation.Limits limits) {
        return GenerationFactory.keepable(type, algorithm, limits, key);
    }

    /**
     * Keeps a generation, which may grow meanwhile, in place of the one before. When this returns it is on the disk.
     *
     * @param position how far the log was told; asked before anything is copied, for what is told later may be missing
     * @return that position; empty, and nothing has changed, if there is none, or if the generation is none of
     *     {@link #generations} or of another filter
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
     * The generation kept for these facts; empty if none was.
     *
     * @param byKey how it makes texts equal if it does so by their keys
     * @throws SnapshotRefusedException if it is not believed, or does not fit
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

    /** Deletes what was kept for a kind. */
    public void forget(String kind) throws IOException {
        folder.delete(file(kind));
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /** Whatever characters a kind's name has. */
    private static String file(String kind) {
        return "generation-" + HexFormat.of().formatHex(kind.getBytes(StandardCharsets.UTF_8));
    }
}
