package io.github.untaken.memory;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a file holds of a generation beside the tables of its filter.
 *
 * @param variants fingerprints of the folds of values that are spelt in another way
 * @param overflow hashes that the filter refused
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record GenerationImage(Salt salt, int[] variants, long[] overflow) {

    void write(DataOutput out) throws IOException {
        out.writeLong(salt.high());
        out.writeLong(salt.low());
        out.writeInt(variants.length);
        for (int fingerprint : variants) {
            out.writeInt(fingerprint);
        }
        out.writeInt(overflow.length);
        for (long hash : overflow) {
            out.writeLong(hash);
        }
    }

    /** What {@link #write} wrote; it is believed. */
    static GenerationImage read(DataInput in) throws IOException {
        Salt salt = new Salt(in.readLong(), in.readLong());
        int[] variants = new int[in.readInt()];
        for (int i = 0; i < variants.length; i++) {
            variants[i] = in.readInt();
        }
        long[] overflow = new long[in.readInt()];
        for (int i = 0; i < overflow.length; i++) {
            overflow[i] = in.readLong();
        }
        return new GenerationImage(salt, variants, overflow);
    }
}
