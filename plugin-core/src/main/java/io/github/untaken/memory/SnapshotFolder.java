package io.github.untaken.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.UUID;

/**
 * A folder private to this process's user. Files are replaced as a whole. Only regular files are read, and only if they
 * belong to that user and no one else may read or write them. Where the file system has no POSIX permissions, the
 * folder's own protection is all there is.
 */
/* No one else may write to the folder, so a file cannot be swapped between the check and its opening. */
final class SnapshotFolder {
    private static final Set<PosixFilePermission> ALL_OF_OWNER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> WRITTEN_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path folder;
    private final boolean posix;

    private SnapshotFolder(Path folder) {
        this.folder = folder;
        this.posix = Files.getFileAttributeView(folder, PosixFileAttributeView.class) != null;
    }

    /** Creates the folder if it is missing; its parent must exist. */
    static SnapshotFolder open(Path path) throws IOException {
        SnapshotFolder opened = new SnapshotFolder(path);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(path, opened.attributes(ALL_OF_OWNER));
        }
        opened.check();
        return opened;
    }

    private void check() throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new SnapshotRefusedException("the snapshot folder must be a directory, not a link to one");
        }
        if (posix) {
            PosixFileAttributes is = look(folder);
            if (is.permissions().stream().anyMatch(WRITTEN_BY_OTHERS::contains)) {
                throw new SnapshotRefusedException("users other than its owner may write the snapshot folder (it is "
                        + PosixFilePermissions.toString(is.permissions()) + "); make it rwx------");
            }
            if (!is.owner().equals(self())) {
                throw new SnapshotRefusedException(
                        "the snapshot folder belongs to another user; give it to the one that runs this process");
            }
        }
    }

    /** The owner of files that this process creates. */
    private UserPrincipal self() throws IOException {
        Path probe = folder.resolve(".probe-" + UUID.randomUUID());
        Files.createFile(probe, attributes(OWNER));
        try {
            return look(probe).owner();
        } finally {
            Files.delete(probe);
        }
    }

    private static PosixFileAttributes look(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** The secret kept here; created on first use. */
    SnapshotKey key() throws IOException {
        String name = "key";
        if (!holds(name)) {
            byte[] secret = SnapshotKey.fresh();
            replace(name, channel -> writeAll(channel, ByteBuffer.wrap(secret)));
        }
        try (FileChannel channel = reading(name)) {
            if (channel.size() != SnapshotKey.BYTES) {
                throw new SnapshotRefusedException("the key file of the snapshot folder has the wrong length");
            }
            byte[] secret = new byte[SnapshotKey.BYTES];
            readAll(channel, ByteBuffer.wrap(secret), 0);
            return new SnapshotKey(secret);
        }
    }

    /** Keeps out other processes, and other checkers in this one, until it is closed. */
    FileChannel lock() throws IOException {
        Path file = folder.resolve("lock");
        if (holds("lock") && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new SnapshotRefusedException("the lock file of the snapshot folder is not a regular file");
        }
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                attributes(OWNER));
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // held by this process
        }
        channel.close();
        throw new SnapshotRefusedException("another checker uses the snapshot folder; give each its own");
    }

    boolean holds(String name) {
        return Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Opens a file of this folder, if only this user can have written it. */
    FileChannel reading(String name) throws IOException {
        Path file = folder.resolve(name);
        // Checked before opening, which would wait for ever on a FIFO that has no writer.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new SnapshotRefusedException("the file " + name + " is missing or not a regular file");
        }
        if (posix) {
            PosixFileAttributes is = look(file);
            if (!OWNER.equals(is.permissions())
                    || !is.owner().equals(look(folder).owner())) {
                throw new SnapshotRefusedException("the file " + name + " must be rw------- and belong to the"
                        + " owner of its folder, but is "
                        + PosixFilePermissions.toString(is.permissions()) + " or belongs to another user");
            }
        }
        return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Writes a file aside and moves it into place once it is on disk: a reader sees the old file or the new one, each
     * complete.
     */
    void replace(String name, Writing writing) throws IOException {
        Path aside = folder.resolve(name + ".new");
        Files.deleteIfExists(aside); // left by a process that was killed
        try {
            try (FileChannel channel = create(aside)) {
                writing.write(channel);
                channel.force(true);
            }
            Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            forceFolder();
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private FileChannel create(Path aside) throws IOException {
        return FileChannel.open(
                aside, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes(OWNER));
    }

    void delete(String name) throws IOException {
        if (Files.deleteIfExists(folder.resolve(name))) {
            forceFolder();
        }
    }

    /** Puts the names on disk too. Windows cannot open a folder, and need not. */
    private void forceFolder() throws IOException {
        if (posix) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    static void readAll(FileChannel channel, ByteBuffer into, long from) throws IOException {
        long at = from;
        while (into.hasRemaining()) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new SnapshotRefusedException("the file ends too early");
            }
            at += read;
        }
    }

    /** Writes a file's content to a channel. */
    @FunctionalInterface
    interface Writing {
        void write(FileChannel channel) throws IOException;
    }
}
