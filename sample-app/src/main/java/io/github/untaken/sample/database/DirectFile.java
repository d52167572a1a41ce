package io.github.untaken.sample.database;

import com.sun.nio.file.ExtendedOpenOption;
import io.github.untaken.sample.reads.FileReads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reads a file past the operating system's cache, so that every read is one of the device. Whole blocks at block
 * boundaries, as such reads must be; what was written through another channel is seen, since the system writes it out
 * first. Thread-safe.
 */
final class DirectFile implements Closeable {
    /** Bytes of one read call at most; who wants more asks again, as with any channel. */
    private static final int MOST = 1 << 20;

    private final Path path;
    private final int block;
    private final ThreadLocal<ByteBuffer> buffers = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(0));
    private FileChannel channel;

    private DirectFile(Path path, int block, FileChannel channel) {
        this.path = path;
        this.block = block;
        this.channel = channel;
    }

    static DirectFile open(Path path) throws IOException {
        long block = Files.getFileStore(path).getBlockSize();
        if (block < 1 || block > MOST) {
            throw new IOException("blocks of " + block + " bytes");
        }
        return new DirectFile(path, (int) block, channel(path));
    }

    // Some file systems refuse the option, and some only the read.
    private static FileChannel channel(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
        } catch (UnsupportedOperationException e) {
            throw new IOException("direct reads are not supported here", e);
        }
    }

    /** Why this file cannot be read so, or empty if it can: it was tried. */
    static Optional<String> obstacle(Path path) {
        try (DirectFile file = open(path)) {
            int unused = file.read(ByteBuffer.allocate(1), 0);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * As {@link FileChannel#read(ByteBuffer, long)}.
     *
     * @throws java.nio.channels.ClosedChannelException also if an interrupted thread has closed the file; see {@link #reopen}
     */
    int read(ByteBuffer target, long position) throws IOException {
        int before = (int) (position % block);
        int wanted = Math.min(target.remaining(), MOST - block);
        if (wanted == 0) {
            return 0;
        }
        ByteBuffer buffer = buffer((before + wanted + block - 1) / block * block);
        int read = current().read(buffer, position - before);
        FileReads.countedDirect(Math.max(0, read));
        int usable = Math.min(wanted, read - before);
        if (usable <= 0) {
            return -1;
        }
        target.put(buffer.slice(before, usable));
        return usable;
    }

    private ByteBuffer buffer(int length) {
        ByteBuffer buffer = buffers.get();
        if (buffer.capacity() < length) {
            buffer = ByteBuffer.allocateDirect(length + block).alignedSlice(block);
            buffers.set(buffer);
        }
        return buffer.clear().limit(length);
    }

    private synchronized FileChannel current() {
        return channel;
    }

    /** After an interrupted thread has closed it for all. */
    synchronized void reopen() throws IOException {
        if (!channel.isOpen()) {
            channel = channel(path);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
