package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class KeyHasherTest {
    private static final long SEED = 20261121;

    /** Computed by a second implementation with arbitrary-precision integers; they may never change within one format. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "\"\", 2987697dfb1f136e, e9a162bc75c186ba",
                "a, dffce5ad1b004e6e, dfc715e0deb0a317",
                "ab, b253a8240f631e9b, de5c0c6f213d48fb",
                "abc, e830515d20d39d90, 7a8a26c58d07f144",
                "abcd, 62b85af89262e241, ac9425b3162ac42e",
                "alice, 747be07a8599ccbf, ceb60f1faacb0940",
                "username, 52db8757cfc8c98f, ca5748957cf32f1c",
                "alice.smith42, 48455e59c169e4f4, 8e588297232e85fa",
                "+8613800138000, 78d31a7768f947f0, dcfe67c934d4ff4c",
                "abcdefghijklmnopqrstuvwx, deb82560f4b2954d, 5c593b426a83d017",
                "abcdefghijklmnopqrstuvwxy, b6bf1dccdb31f0f4, 5589507f2ff07017",
                "\u4e2d\u6587, 5d16a30c56c63168, 80a156e4c372cb67",
                "\u5f20\u4f1f\u7684\u7528\u6237\u540d, 4c803943b19975af, ba687b14867a6c2e",
                "caf\u00e9, 115b3b71fff87498, bb1a61007c059ec2",
                "Jos\u00e9 de la Cruz, 8d6ab02ae5e3b9bb, 9283e703a8ce06bc",
                "\u00ff\u0100, 5811d10d55c89a64, 1fa77a9c0d4c8426",
                "\ud83d\ude00 smile, 5cd39e34d0cf6440, 7151c25ea3fabaa4"
            })
    void hashesThePublishedVectors(String key, String underOneTwo, String underAnotherKey) {
        assertThat(KeyHasher.of(1, 2).hash(key)).isEqualTo(Long.parseUnsignedLong(underOneTwo, 16));
        assertThat(KeyHasher.of(0x0123456789abcdefL, 0xfedcba9876543210L).hash(key))
                .isEqualTo(Long.parseUnsignedLong(underAnotherKey, 16));
    }

    @Test
    void hashesALoneSurrogateAndALongKeyAsPublished() {
        assertThat(KeyHasher.of(1, 2).hash("\ud800")).isEqualTo(0x67e51daf0c45ee16L);
        assertThat(KeyHasher.of(1, 2).hash("x".repeat(100))).isEqualTo(0x8301f19b798c0b52L);
    }

    @ParameterizedTest
    @EnumSource
    void seesEveryCharacterOfEveryLength(HashAlgorithm algorithm) {
        KeyHasher hasher = KeyHasher.of(algorithm, SEED, 1);
        Map<Long, String> seen = new HashMap<>();
        for (int length = 0; length <= 70; length++) {
            for (char filling : new char[] {'\0', 'a', '\u00ff', '\u4e2d'}) {
                char[] characters = String.valueOf(filling).repeat(length).toCharArray();
                expectNew(seen, hasher, new String(characters));
                for (int at = 0; at < length; at++) {
                    for (char other : new char[] {'\u0001', 'b', '\u00fe', '\u0100', '\u6587'}) {
                        characters[at] = other;
                        expectNew(seen, hasher, new String(characters));
                        characters[at] = filling;
                    }
                }
            }
        }
        assertThat(seen).hasSizeGreaterThan(40_000);
    }

    private static void expectNew(Map<Long, String> seen, KeyHasher hasher, String key) {
        String before = seen.putIfAbsent(hasher.hash(key), key);
        assertThat(before == null || before.equals(key)).isTrue();
    }

    /** Two keys that differ in two places at once, which a weak mixing would let cancel out. */
    @ParameterizedTest
    @EnumSource
    void differencesInTwoPlacesDoNotCancelOut(HashAlgorithm algorithm) {
        KeyHasher hasher = KeyHasher.of(algorithm, SEED, 2);
        for (int length : new int[] {2, 3, 5, 8, 9, 13, 16, 17, 20, 24, 25, 32, 40}) {
            Set<Long> seen = new HashSet<>();
            char[] characters = "m".repeat(length).toCharArray();
            int tried = 0;
            for (int i = 0; i < length; i++) {
                for (int j = i + 1; j < length; j++) {
                    for (int bits = 0; bits < 49; bits++) {
                        characters[i] = (char) ('m' ^ 1 << bits / 7);
                        characters[j] = (char) ('m' ^ 1 << bits % 7);
                        seen.add(hasher.hash(new String(characters)));
                        tried++;
                        characters[i] = 'm';
                        characters[j] = 'm';
                    }
                }
            }
            assertThat(seen).hasSize(tried);
        }
    }

    @ParameterizedTest
    @EnumSource
    void agreesUnderEqualKeysAndDiffersUnderOthers(HashAlgorithm algorithm) {
        for (String key : List.of("", "a", "alice", "alice.smith42", "\u7528\u6237\u540d", "x".repeat(60))) {
            long hash = KeyHasher.of(algorithm, 5, 7).hash(key);
            assertThat(KeyHasher.of(algorithm, 5, 7).hash(key)).isEqualTo(hash);
            assertThat(KeyHasher.of(algorithm, 7, 5).hash(key)).isNotEqualTo(hash);
            assertThat(KeyHasher.of(algorithm, 5, 8).hash(key)).isNotEqualTo(hash);
            assertThat(KeyHasher.of(algorithm, 4, 7).hash(key)).isNotEqualTo(hash);
            assertThat(KeyHasher.random(algorithm).hash(key))
                    .isNotEqualTo(KeyHasher.random(algorithm).hash(key));
        }
        assertThat(KeyHasher.of(5, 7).hash("alice"))
                .isEqualTo(KeyHasher.of(HashAlgorithm.PACKED_WORDS, 5, 7).hash("alice"))
                .isNotEqualTo(KeyHasher.of(HashAlgorithm.SIP_HASH_1_3, 5, 7).hash("alice"));
    }

    @ParameterizedTest
    @EnumSource
    void aKeyOfZerosIsNoWeakKey(HashAlgorithm algorithm) {
        KeyHasher hasher = KeyHasher.of(algorithm, 0, 0);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            seen.add(hasher.hash("user" + i));
        }
        assertThat(seen).hasSize(100_000);
    }

    /** Each input bit should flip each output bit half of the time; averaged over keys the worst pair stays near a half. */
    @ParameterizedTest
    @CsvSource({
        "PACKED_WORDS, 1, 3, 4, 7, 8, 11, 14, 16, 17, 20, 24, 25, 40",
        "SIP_HASH_1_3, 1, 3, 4, 7, 8, 11, 14, 16, 17, 20, 24, 25, 40"
    })
    void flipsHalfOfTheOutputBits(ArgumentsAccessor arguments) {
        for (int i = 1; i < arguments.size(); i++) {
            flipsHalfOfTheOutputBits(arguments.get(0, HashAlgorithm.class), arguments.getInteger(i));
        }
    }

    private static void flipsHalfOfTheOutputBits(HashAlgorithm algorithm, int length) {
        int rounds = 1_000;
        SplittableRandom random = new SplittableRandom(SEED + length);
        int[][] flips = new int[length * 7][64];
        char[] characters = new char[length];
        for (int round = 0; round < rounds; round++) {
            KeyHasher hasher = KeyHasher.of(algorithm, random.nextLong(), random.nextLong());
            for (int i = 0; i < length; i++) {
                characters[i] = (char) random.nextInt(128);
            }
            long before = hasher.hash(new String(characters));
            for (int bit = 0; bit < length * 7; bit++) {
                characters[bit / 7] ^= (char) (1 << bit % 7);
                long changed = before ^ hasher.hash(new String(characters));
                characters[bit / 7] ^= (char) (1 << bit % 7);
                for (int out = 0; out < 64; out++) {
                    flips[bit][out] += (int) (changed >>> out) & 1;
                }
            }
        }
        // Six standard deviations: the worst of 18,000 pairs exceeds that about once in 20,000 seeds.
        double slack = 6 * Math.sqrt(0.25 / rounds);
        double worst = 0;
        for (int[] row : flips) {
            for (int count : row) {
                worst = Math.max(worst, Math.abs((double) count / rounds - 0.5));
            }
        }
        assertThat(worst)
                .as("%s, length %d, seed %d", algorithm, length, SEED + length)
                .isLessThan(slack);
    }

    @ParameterizedTest
    @EnumSource
    void spreadsSequentialKeysOverBucketsAndFingerprints(HashAlgorithm algorithm) {
        Map<String, IntFunction<String>> families = Map.of(
                "phones", i -> "+861380" + (1_000_000 + i),
                "numbers", Integer::toString,
                "names", i -> "user-" + i + "-name",
                "long names", i -> "a-rather-long-user-name-number-" + i,
                "chinese names", i -> "\u7528\u6237" + i,
                "last character of two", i -> "" + (char) i + (char) (i >> 16));
        families.forEach((family, keys) -> {
            KeyHasher hasher = KeyHasher.of(algorithm, SEED, family.length());
            int[] high = new int[1024];
            int[] low = new int[1024];
            int[] fingerprint = new int[1024];
            int count = 400_000;
            for (int i = 0; i < count; i++) {
                long hash = hasher.hash(keys.apply(i));
                high[(int) UnsignedProduct.reduce(hash, 1024)]++;
                low[(int) hash & 1023]++;
                fingerprint[(int) hash >>> 6 & 1023]++;
            }
            assertUniform(family + ", bucket", high, count);
            assertUniform(family + ", low bits", low, count);
            assertUniform(family + ", fingerprint", fingerprint, count);
        });
    }

    /** Chi-square with 1023 degrees of freedom: below 1168 and above 888 in all but 0.1 % of cases each. */
    private static void assertUniform(String what, int[] counts, int total) {
        double expected = (double) total / counts.length;
        double chiSquare = 0;
        for (int count : counts) {
            chiSquare += (count - expected) * (count - expected) / expected;
        }
        assertThat(chiSquare).as(what).isBetween(860.0, 1200.0);
    }

    @ParameterizedTest
    @EnumSource
    void doesNotShowItsKey(HashAlgorithm algorithm) {
        assertThat(KeyHasher.of(algorithm, 0x1234_5678L, 42).toString())
                .doesNotContain("1234")
                .doesNotContain("42")
                .doesNotContainIgnoringCase("305419896");
    }
}
