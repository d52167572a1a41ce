package io.github.untaken.cluster.mysql;

import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** What MariaDB has compressed with {@code log_bin_compress}: a byte that says how, the length, and what zlib has made of it. */
final class Compressed {
    private static final int MOST = 1 << 30;

    private Compressed() {}

    static byte[] inflated(byte[] packed) throws IOException {
        int lengthBytes = packed[0] & 7;
        long length = 0;
        for (int i = 1; i <= lengthBytes; i++) {
            length = length << 8 | packed[i] & 0xff;
        }
        if ((packed[0] & 0xf0) != 0x80 || length > MOST) {
            throw new LogEvents.MalformedException();
        }
        byte[] plain = new byte[(int) length];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed, 1 + lengthBytes, packed.length - 1 - lengthBytes);
            if (inflater.inflate(plain) != plain.length) {
                throw new LogEvents.MalformedException();
            }
            return plain;
        } catch (DataFormatException e) {
            throw new LogEvents.MalformedException();
        } finally {
            inflater.end();
        }
    }
}
