package io.github.untaken.sample.database;

import io.github.untaken.sample.console.StartupException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one site's database, held by one process at a time. A database is seeded under another name and
 * renamed once it is complete: whatever carries the final name is whole, whatever carries the other is thrown away.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String DATABASE = "accounts";
    private static final String SEEDING = "accounts-seeding";
    private static final String H2_SUFFIX = ".mv.db";
    private static final String LOCK = "sample-app.lock";

    private final Path path;
    private final FileChannel lockFile;

    private DataDirectory(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** Creates the directory where needed and takes its lock. */
    public static DataDirectory open(Path wanted) throws StartupException {
        Path path = wanted.toAbsolutePath().normalize();
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new StartupException("--data " + path + " is not a directory; name a directory");
        }
        FileChannel lockFile = null;
        try {
            Files.createDirectories(path);
            lockFile = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (locked(lockFile) == null) {
                lockFile.close();
                throw new StartupException(
                        "--data " + path + " is in use by another process; stop it or name another directory");
            }
            return new DataDirectory(path, lockFile);
        } catch (IOException e) {
            closeQuietly(lockFile);
            throw new StartupException(
                    "--data " + path + " cannot be written to (" + reason(e) + "); name another directory", e);
        }
    }

    private static @Nullable FileLock locked(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another site in this process
        }
    }

    private static String reason(IOException failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }

    private static void closeQuietly(@Nullable FileChannel file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // the failure before it is the one to tell of
        }
    }

    public boolean hasDatabase() {
        return Files.exists(file(DATABASE));
    }

    /** The path of the complete database as H2 wants it, without its suffix. */
    Path database() {
        return path.resolve(DATABASE);
    }

    /** The file of the complete database. */
    Path databaseFile() {
        return file(DATABASE);
    }

    /** The path of a new database to fill, without H2's suffix; what an interrupted attempt left there is deleted. */
    Path newDatabase() throws IOException {
        Files.deleteIfExists(file(SEEDING));
        return path.resolve(SEEDING);
    }

    /** Gives the new database its final name, in one step that survives a power cut. */
    void completeDatabase() throws IOException {
        try (FileChannel file = FileChannel.open(file(SEEDING), StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(file(SEEDING), file(DATABASE), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(path, StandardOpenOption.READ)) {
            directory.force(true);
        } catch (IOException e) {
            // not every operating system opens directories; there the rename is as durable as it can be
        }
    }

    /** Bytes of the database file. */
    long databaseBytes() throws IOException {
        return Files.size(file(DATABASE));
    }

    private Path file(String name) {
        return path.resolve(name + H2_SUFFIX);
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
