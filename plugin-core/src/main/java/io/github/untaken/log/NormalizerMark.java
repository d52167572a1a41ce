package io.github.untaken.log;

import io.github.untaken.spi.IdentifierNormalizer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What tells one key function from another, so that hashes of keys that were kept are not asked for keys of a new function: a name,
 * and a digest of what it makes of fixed texts. The digest notices another version of the function, or of the JVM's tables.
 */
/*
 * It cannot notice everything: of two mail functions that differ in the treatment of one company's domain alone, all fixed texts are
 * equal. A kept "no" under the wrong one calls a taken name free, so the name has to say whatever was set.
 */
final class NormalizerMark {
    private static final List<String> TEXTS = List.of(
            "",
            "Alice",
            "alice.b_c-d",
            "  two  words ",
            "0O1lI",
            "Stra\u00dfe",
            "e\u0301\u0327",
            "\u0430dmin",
            "\u03a3\u03c2\u03c3",
            "\uff21\uff4c\uff49\uff43\uff45",
            "a\u200bb\u00adc",
            "Name.Of+tag@Example.COM",
            "Name.Of+tag@GoogleMail.com",
            "+49 (0)30 123456",
            "0049 30 123456",
            "030/123456",
            "+1 650-253-0000",
            "650-253-0000",
            "\ud800",
            "\ud83d\ude00",
            "a".repeat(300));

    /** First and last of the alphabets in which most names are, and of the characters that stand for others. */
    private static final int[][] RANGES = {{0, 0x2fff}, {0xa640, 0xa7ff}, {0xf900, 0xffff}, {0x1d400, 0x1d7ff}};

    private NormalizerMark() {}

    /**
     * Calls the function some 16,000 times.
     *
     * @param name another one for each set of settings that makes other keys
     */
    static String of(String name, IdentifierNormalizer normalizer) {
        MessageDigest digest = sha256();
        Stream<String> single = Stream.of(RANGES)
                .flatMapToInt(range -> IntStream.rangeClosed(range[0], range[1]))
                .mapToObj(Character::toString);
        Stream.concat(TEXTS.stream(), single).forEach(text -> add(normalizer.key(text), digest));
        return name + " " + HexFormat.of().formatHex(digest.digest());
    }

    /** The length too, or two keys could pass for two others. By code units: an encoding would lose what is no character. */
    private static void add(String key, MessageDigest digest) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + key.length() * Character.BYTES);
        bytes.putInt(key.length());
        for (int i = 0; i < key.length(); i++) {
            bytes.putChar(key.charAt(i));
        }
        digest.update(bytes.flip());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256, but this one fails", e);
        }
    }
}
