package io.github.untaken.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CuckooTableTest {
    private static final long SEED = 20261122;

    /** All fingerprints of up to 12 bits in up to 4,096 buckets of each size class, and the largest table possible. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                2,
                3,
                4,
                5,
                7,
                8,
                9,
                255,
                256,
                257,
                4_095,
                4_096,
                65_535,
                65_536,
                65_537,
                1_000_003,
                2_147_483_639
            })
    void theOtherBucketOfTheOtherBucketIsTheFirst(int buckets) {
        long step = Math.max(1, buckets / 4_096);
        long wrong = 0;
        for (int fingerprint = 1; fingerprint < 4_096; fingerprint++) {
            for (long bucket = 0; bucket < buckets; bucket += step) {
                wrong += violations((int) bucket, fingerprint, buckets);
            }
        }
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200_000; i++) {
            wrong += violations(random.nextInt(buckets), random.nextInt(1, 65_536), buckets);
        }
        for (int fingerprint : new int[] {1, 32_768, 65_535}) {
            wrong += violations(0, fingerprint, buckets) + violations(buckets - 1, fingerprint, buckets);
        }
        assertThat(wrong).isZero();
    }

    private static int violations(int bucket, int fingerprint, int buckets) {
        int other = CuckooTable.alternate(bucket, fingerprint, buckets);
        return other >= 0 && other < buckets && CuckooTable.alternate(other, fingerprint, buckets) == bucket ? 0 : 1;
    }

    @Test
    void fingerprintZeroIsNeverStored() {
        for (long low = 0; low < 65_536; low++) {
            int expected = low == 0 ? 1 : (int) low;
            assertThat(CuckooTable.fingerprint(low)).isEqualTo(expected);
            assertThat(CuckooTable.fingerprint(0xffff_ffff_ffff_0000L | low)).isEqualTo(expected);
        }
    }

    @Test
    void bucketsStayInRangeForAnyHashAndAnySize() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int buckets : new int[] {1, 2, 3, 1_000, 65_537, Integer.MAX_VALUE - 8}) {
            assertThat(CuckooTable.bucket(0, buckets)).isZero();
            assertThat(CuckooTable.bucket(-1, buckets)).isEqualTo(buckets - 1);
            assertThat(CuckooTable.bucket(Long.MIN_VALUE, buckets)).isEqualTo(buckets / 2);
            for (int i = 0; i < 100_000; i++) {
                assertThat(CuckooTable.bucket(random.nextLong(), buckets)).isBetween(0, buckets - 1);
            }
        }
    }

    /** The borrow of a lane must not reach its neighbour: every lane, beside zeros, ones and near misses. */
    @Test
    void findsAFingerprintInEveryLaneAndNowhereElse() {
        int[] others = {0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
        for (int wanted : others) {
            for (int a : others) {
                for (int b : others) {
                    for (int c : others) {
                        for (int d : others) {
                            long word = a | (long) b << 16 | (long) c << 32 | (long) d << 48;
                            int expected = a == wanted ? 0 : b == wanted ? 1 : c == wanted ? 2 : d == wanted ? 3 : -1;
                            assertThat(CuckooTable.laneOf(word, wanted)).isEqualTo(expected);
                            assertThat(CuckooTable.eitherHolds(word, ~word, wanted))
                                    .isEqualTo(expected >= 0 || CuckooTable.laneOf(~word, wanted) >= 0);
                        }
                    }
                }
            }
        }
    }

    @Test
    void writingALaneLeavesItsNeighboursAlone() {
        CuckooTable table = new CuckooTable(new long[1], new long[CuckooTable.STRIPES]);
        for (int fingerprint : new int[] {0xffff, 0x8000, 1, 0x7fff}) {
            assertThat(table.put(0, fingerprint)).isTrue();
        }
        assertThat(table.word(0)).isEqualTo(0x7fff_0001_8000_ffffL);
        assertThat(table.put(0, 5)).isFalse();
        assertThat(table.clear(0, 6)).isFalse();
        assertThat(table.clear(0, 0x8000)).isTrue();
        assertThat(table.word(0)).isEqualTo(0x7fff_0001_0000_ffffL);
        assertThat(table.put(0, 0xfffe)).isTrue();
        assertThat(table.word(0)).isEqualTo(0x7fff_0001_fffe_ffffL);
    }

    @Test
    void aMoveRaisesTheVersionOfItsFingerprint() {
        CuckooTable table = new CuckooTable(new long[4], new long[CuckooTable.STRIPES]);
        int fingerprint = 0x4321;
        int other = table.alternate(0, fingerprint);
        assertThat(table.put(0, fingerprint)).isTrue();
        assertThat(table.versions[CuckooTable.stripe(fingerprint)]).isZero();
        table.move(0, 0, other);
        assertThat(table.versions[CuckooTable.stripe(fingerprint)]).isEqualTo(1);
        assertThat(table.word(0)).isZero();
    }

    /** Of a twin in the same bucket a reader sees both or the one that stays. */
    @Test
    void aRemovalRaisesTheVersionIfTheOtherBucketHasATwin() {
        CuckooTable table = new CuckooTable(new long[4], new long[CuckooTable.STRIPES]);
        int fingerprint = 0x4321;
        int other = table.alternate(0, fingerprint);
        table.put(0, fingerprint);
        table.put(0, fingerprint);
        table.put(other, fingerprint);
        assertThat(other).isNotZero();
        assertThat(table.clear(0, fingerprint)).isTrue();
        assertThat(table.clear(0, fingerprint)).isTrue();
        assertThat(table.versions[CuckooTable.stripe(fingerprint)]).isEqualTo(2);
        assertThat(table.clear(other, fingerprint)).isTrue();
        assertThat(table.versions[CuckooTable.stripe(fingerprint)]).isEqualTo(2);
    }
}
