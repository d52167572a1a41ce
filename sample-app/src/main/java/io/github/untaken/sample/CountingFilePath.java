package io.github.untaken.sample;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * H2's file layer with two additions: reads are counted, see {@link FileReads}, and a write returns only when the device
 * has the data.
 *
 * <p>The second is what makes a commit durable. With {@code WRITE_DELAY=0} H2 writes a commit before it acknowledges it,
 * but leaves it in the operating system's cache: that survives the death of the process, not of the machine. Files opened
 * through {@link #DURABLE} are opened for synchronous writing. {@link #BUFFERED} leaves that out, for seeding.
 *
 * <p>Public, with a public constructor, because H2 creates paths reflectively.
 */
public abstract class CountingFilePath extends FilePathWrapper {

    /** Prefix of a file whose writes are synchronous, as in {@code jdbc:h2:count:/path}. */
    static final String DURABLE = "count";

    /** Prefix of a file whose writes the operating system may hold back. */
    static final String BUFFERED = "countbuffered";

    private final String scheme;
    private final boolean durable;

    CountingFilePath(String scheme, boolean durable) {
        this.scheme = scheme;
        this.durable = durable;
    }

    /** The form with synchronous writes. */
    public static final class Durable extends CountingFilePath {
        public Durable() {
            super(DURABLE, true);
        }
    }

    /** The form with buffered writes. */
    public static final class Buffered extends CountingFilePath {
        public Buffered() {
            super(BUFFERED, false);
        }
    }

    /** Makes both prefixes known to H2; again is harmless. */
    static void register() {
        FilePath.register(new Durable());
        FilePath.register(new Buffered());
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new CountingChannel(getBase().open(durable && mode.equals("rw") ? "rwd" : mode));
    }
}
