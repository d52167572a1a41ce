package io.github.untaken.sample.reads;

import java.util.concurrent.atomic.LongAdder;

/**
 * Every read the database makes of its file, counted where H2 hands it to the file system: exact, and blind to whether the
 * operating system then takes the bytes from its cache. Counted for the process and for each thread, so that the reads of
 * one piece of work can be told from those around it: an embedded H2 reads on the thread that asked. Thread-safe.
 */
public final class FileReads {
    private static final LongAdder CALLS = new LongAdder();
    private static final LongAdder BYTES = new LongAdder();
    private static final LongAdder DIRECT_BYTES = new LongAdder();
    private static final ThreadLocal<OfThread> THREAD = ThreadLocal.withInitial(OfThread::new);

    private static final class OfThread {
        private long calls;
        private long bytes;
        private long directBytes;
    }

    /**
     * A number of reads.
     *
     * @param calls read calls; H2 makes one for each page it does not have in its cache
     * @param bytes what these calls delivered
     * @param directBytes what the device delivered for them, in whole blocks; 0 where the system's cache may answer
     */
    public record Count(long calls, long bytes, long directBytes) {
        public Count minus(Count earlier) {
            return new Count(calls - earlier.calls, bytes - earlier.bytes, directBytes - earlier.directBytes);
        }
    }

    private FileReads() {}

    public static void counted(int bytes) {
        int delivered = Math.max(0, bytes);
        CALLS.increment();
        BYTES.add(delivered);
        OfThread mine = THREAD.get();
        mine.calls++;
        mine.bytes += delivered;
    }

    /** Beside {@link #counted}, for the part of it that went past the operating system's cache. */
    public static void countedDirect(int bytes) {
        DIRECT_BYTES.add(bytes);
        THREAD.get().directBytes += bytes;
    }

    /** All reads of all databases in this process. */
    public static Count ofProcess() {
        return new Count(CALLS.sum(), BYTES.sum(), DIRECT_BYTES.sum());
    }

    /** All reads made on the calling thread so far. */
    public static Count ofThisThread() {
        OfThread mine = THREAD.get();
        return new Count(mine.calls, mine.bytes, mine.directBytes);
    }
}
