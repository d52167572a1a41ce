package io.github.untaken.sample.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * H2's file layer with additions: reads are counted, see {@code FileReads}, a write returns only when the device has
 * the data, and where asked reads bypass the operating system's cache.
 *
 * <p>The second is what makes a commit durable. With {@code WRITE_DELAY=0} H2 writes a commit before it acknowledges it,
 * but leaves it in the operating system's cache: that survives the death of the process, not of the machine. Files opened
 * through {@link #DURABLE} are opened for synchronous writing. {@link #BUFFERED} leaves that out, for seeding.
 *
 * <p>Public, with a public constructor, because H2 creates paths reflectively.
 */
public abstract class CountingFilePath extends FilePathWrapper {

    /** Prefix of a file whose writes are synchronous, as in {@code jdbc:h2:count:/path}. */
    public static final String DURABLE = "count";

    /** Prefix of a file whose writes the operating system may hold back. */
    static final String BUFFERED = "countbuffered";

    /** As {@link #DURABLE}, and reads bypass the operating system's cache; see {@link DirectFile}. */
    static final String DIRECT = "countdirect";

    private final String scheme;

    CountingFilePath(String scheme) {
        this.scheme = scheme;
    }

    /** The form with synchronous writes. */
    public static final class Durable extends CountingFilePath {
        public Durable() {
            super(DURABLE);
        }
    }

    /** The form with buffered writes. */
    public static final class Buffered extends CountingFilePath {
        public Buffered() {
            super(BUFFERED);
        }
    }

    /** The form with synchronous writes and direct reads. */
    public static final class Direct extends CountingFilePath {
        public Direct() {
            super(DIRECT);
        }
    }

    /** Makes the prefixes known to H2; again is harmless. */
    public static void register() {
        FilePath.register(new Durable());
        FilePath.register(new Buffered());
        FilePath.register(new Direct());
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        boolean durable = !scheme.equals(BUFFERED);
        FileChannel file = getBase().open(durable && mode.equals("rw") ? "rwd" : mode);
        try {
            return new CountingChannel(file, scheme.equals(DIRECT) ? DirectFile.open(path()) : null);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private Path path() {
        return Path.of(getBase().unwrap().toString());
    }
}
