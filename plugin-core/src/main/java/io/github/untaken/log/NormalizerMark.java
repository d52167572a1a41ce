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
 * Tells one key function from another, so that kept hashes are not searched for a new function's keys: a name, and a
 * digest of the keys it makes of fixed texts. The digest detects another version of the function, or of the JVM's
 * tables.
 */
/*
 * It cannot detect everything: two e-mail functions that differ only in how they treat one company's domain agree on
 * all fixed texts. A kept "no" under the wrong function calls a taken name free, so the name must state every setting.
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

    /** First and last of the alphabets used in most names, and of characters that stand for others. */
    private static final int[][] RANGES = {{0, 0x2fff}, {0xa640, 0xa7ff}, {0xf900, 0xffff}, {0x1d400, 0x1d7ff}};

    private NormalizerMark() {}

    /**
     * Calls the function some 16,000 times.
     *
     * @param name different for each set of settings that makes different keys
     */
    static String of(String name, IdentifierNormalizer normalizer) {
        MessageDigest digest = sha256();
        Stream<String> single = Stream.of(RANGES)
                .flatMapToInt(range -> IntStream.rangeClosed(range[0], range[1]))
                .mapToObj(Character::toString);
        Stream.concat(TEXTS.stream(), single).forEach(text -> add(normalizer.key(text), digest));
        return name + " " + HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Includes the length, or two keys could pass for two others. Uses code units: an encoding would lose unpaired
     * surrogates.
     */
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
