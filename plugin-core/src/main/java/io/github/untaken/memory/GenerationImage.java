package io.github.untaken.memory;

import io.github.untaken.text.Letters;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * What a file holds of a generation beside its filter's tables.
 *
 * @param letters how it makes texts equal; empty if by their keys
 * @param variants fingerprints of the keys of values that are spelt differently
 * @param overflow hashes that the filter refused
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
record GenerationImage(Salt salt, Optional<Letters> letters, int[] variants, long[] overflow) {

    void write(DataOutput out) throws IOException {
        out.writeLong(salt.high());
        out.writeLong(salt.low());
        out.writeBoolean(letters.isPresent());
        if (letters.isPresent()) {
            letters.get().write(out);
        }
        out.writeInt(variants.length);
        for (int fingerprint : variants) {
            out.writeInt(fingerprint);
        }
        out.writeInt(overflow.length);
        for (long hash : overflow) {
            out.writeLong(hash);
        }
    }

    /** Reads what {@link #write} wrote, unchecked. */
    static GenerationImage read(DataInput in) throws IOException {
        Salt salt = new Salt(in.readLong(), in.readLong());
        Optional<Letters> letters = in.readBoolean() ? Optional.of(Letters.read(in)) : Optional.empty();
        int[] variants = new int[in.readInt()];
        for (int i = 0; i < variants.length; i++) {
            variants[i] = in.readInt();
        }
        long[] overflow = new long[in.readInt()];
        for (int i = 0; i < overflow.length; i++) {
            overflow[i] = in.readLong();
        }
        return new GenerationImage(salt, letters, variants, overflow);
    }
}
