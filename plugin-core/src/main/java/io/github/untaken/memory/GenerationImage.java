package io.github.untaken.memory;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a file holds of a generation beside the tables of its filter.
 *
 * @param foldsAsciiCase whether the store found values by their keys that differ from them in the case of a to z alone
 * @param odd hashes of the odd spellings
 * @param oddFull whether one of them was left out
 * @param overflow hashes that the filter refused
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record GenerationImage(Salt salt, boolean foldsAsciiCase, long[] odd, boolean oddFull, long[] overflow, long stale) {

    void write(DataOutput out) throws IOException {
        out.writeLong(salt.high());
        out.writeLong(salt.low());
        out.writeBoolean(foldsAsciiCase);
        out.writeBoolean(oddFull);
        out.writeLong(stale);
        writeAll(odd, out);
        writeAll(overflow, out);
    }

    /** What {@link #write} wrote; it is believed. */
    static GenerationImage read(DataInput in) throws IOException {
        Salt salt = new Salt(in.readLong(), in.readLong());
        boolean foldsAsciiCase = in.readBoolean();
        boolean oddFull = in.readBoolean();
        long stale = in.readLong();
        return new GenerationImage(salt, foldsAsciiCase, readAll(in), oddFull, readAll(in), stale);
    }

    private static void writeAll(long[] hashes, DataOutput out) throws IOException {
        out.writeInt(hashes.length);
        for (long hash : hashes) {
            out.writeLong(hash);
        }
    }

    private static long[] readAll(DataInput in) throws IOException {
        long[] hashes = new long[in.readInt()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = in.readLong();
        }
        return hashes;
    }
}
