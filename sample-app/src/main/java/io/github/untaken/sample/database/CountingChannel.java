package io.github.untaken.sample.database;

import io.github.untaken.sample.reads.FileReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.jspecify.annotations.Nullable;

/** A file channel that counts its reads and passes everything on. */
final class CountingChannel extends FileBaseDefault {
    private final FileChannel file;
    private final @Nullable DirectFile direct;

    /** @param direct the same file, to read it through; null to read through {@code file} too */
    CountingChannel(FileChannel file, @Nullable DirectFile direct) {
        this.file = file;
        this.direct = direct;
    }

    // Not synchronized like the method it overrides: the file system takes parallel reads of one file, and H2 makes
    // them.
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int read(ByteBuffer target, long position) throws IOException {
        int bytes = direct == null ? file.read(target, position) : readDirect(direct, target, position);
        FileReads.counted(bytes);
        return bytes;
    }

    // The layer below survives interrupts; what they close of ours is opened again.
    private int readDirect(DirectFile from, ByteBuffer target, long position) throws IOException {
        try {
            return from.read(target, position);
        } catch (ClosedChannelException e) {
            int bytes = file.read(target, position);
            from.reopen();
            return bytes;
        }
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int write(ByteBuffer source, long position) throws IOException {
        return file.write(source, position);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        file.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        try (file) {
            if (direct != null) {
                direct.close();
            }
        }
    }
}
