package io.github.untaken.memory;

import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.filter.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a snapshot folder. Each generation's hash key comes from it, and so does the key of the files'
 * authentication codes. With the files alone, no one can query them for a name or forge one.
 */
public final class SnapshotKey {
    static final int BYTES = 32;
    static final int CODE_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    SnapshotKey(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException("the secret must have " + BYTES + " bytes, but had " + secret.length);
        }
        this.secret = secret.clone();
    }

    static byte[] fresh() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    KeyHasher hasher(HashAlgorithm algorithm, Salt salt) {
        Mac mac = under(secret);
        mac.update("hashes".getBytes(StandardCharsets.US_ASCII));
        mac.update(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(salt.high())
                .putLong(salt.low())
                .flip());
        ByteBuffer key = ByteBuffer.wrap(mac.doFinal());
        return KeyHasher.of(algorithm, key.getLong(), key.getLong());
    }

    /** Computes the codes of files. */
    Mac codes() {
        return under(under(secret).doFinal("files".getBytes(StandardCharsets.US_ASCII)));
    }

    private static Mac under(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM + ", but this one fails", e);
        }
    }

    @Override
    public String toString() {
        return "SnapshotKey";
    }
}
