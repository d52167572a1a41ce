package io.github.untaken.benchmarks.subjects;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;

/** Keeps the MD5 of each key instead of the key, as was once advised to save memory. */
final class DigestSet extends Subject implements RemovableSubject {
    private record Digest(long high, long low) {}

    private final Set<Digest> digests;
    private final MessageDigest md5;

    DigestSet(int keys) {
        digests = new HashSet<>((int) (keys / 0.75) + 1);
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Digest digest(String key) {
        ByteBuffer bytes = ByteBuffer.wrap(md5.digest(key.getBytes(StandardCharsets.UTF_8)));
        return new Digest(bytes.getLong(), bytes.getLong());
    }

    @Override
    public boolean add(String key) {
        digests.add(digest(key));
        return true;
    }

    @Override
    public boolean mightContain(String key) {
        return digests.contains(digest(key));
    }

    @Override
    public void remove(String key) {
        digests.remove(digest(key));
    }
}
