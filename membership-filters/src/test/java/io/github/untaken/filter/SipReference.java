package io.github.untaken.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** SipHash-c-d over bytes, written down as its paper describes it. */
final class SipReference {
    private long a;
    private long b;
    private long c;
    private long d;

    private SipReference(long k0, long k1) {
        a = k0 ^ 0x736f6d6570736575L;
        b = k1 ^ 0x646f72616e646f6dL;
        c = k0 ^ 0x6c7967656e657261L;
        d = k1 ^ 0x7465646279746573L;
    }

    static long hash(int compression, int finalization, long k0, long k1, byte[] message) {
        SipReference state = new SipReference(k0, k1);
        byte[] padded = Arrays.copyOf(message, message.length / 8 * 8 + 8);
        padded[padded.length - 1] = (byte) message.length;
        ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            long word = words.getLong();
            state.d ^= word;
            state.rounds(compression);
            state.a ^= word;
        }
        state.c ^= 0xff;
        state.rounds(finalization);
        return state.a ^ state.b ^ state.c ^ state.d;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            a += b;
            b = Long.rotateLeft(b, 13);
            b ^= a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16);
            d ^= c;
            a += d;
            d = Long.rotateLeft(d, 21);
            d ^= a;
            c += b;
            b = Long.rotateLeft(b, 17);
            b ^= c;
            c = Long.rotateLeft(c, 32);
        }
    }
}
