package io.github.untaken.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.Seed;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read back answers as what was kept, or is refused. */
class SnapshotsTest {
    private static final Fold FOLD = Letters.none("");
    private static final long SEED = Seed.of(SnapshotsTest.class, 20261122);
    private static final GenerationFacts FACTS = facts("username", "names");
    private static final Scanned SCANNED = new Scanned("database", Instant.ofEpochMilli(1_795_000_000_123L));
    private static final Generation.Limits LIMITS = Generation.Limits.of(1_000);

    @TempDir
    Path parent;

    private Path path;
    private Snapshots snapshots;

    @BeforeEach
    void open() throws IOException {
        path = parent.resolve("snapshots");
        snapshots = Snapshots.open(path);
    }

    @AfterEach
    void close() throws IOException {
        snapshots.close();
    }

    private void reopen() throws IOException {
        snapshots.close();
        snapshots = Snapshots.open(path);
    }

    private static GenerationFacts facts(String kind, String normalizer) {
        return new GenerationFacts(kind, normalizer, HashAlgorithm.PACKED_WORDS);
    }

    private Generation empty(long planned) {
        return snapshots
                .generations(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, LIMITS)
                .generation(FOLD, planned);
    }

    private Path keep(Generation generation) throws IOException {
        assertThat(snapshots.keep(FACTS, SCANNED, () -> Optional.of("7/1A"), generation))
                .contains("7/1A");
        return file();
    }

    private Path file() throws IOException {
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(one -> one.getFileName().toString().startsWith("generation-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private KeptGeneration read() throws IOException {
        reopen();
        return snapshots.read(FACTS, FOLD, LIMITS).orElseThrow();
    }

    /** Few and many, with variants, stashed, or refused by the filter, in one table, and in many by splits. */
    @Test
    void answersAsBeforeForEachName() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 60; round++) {
            int planned = 1 + random.nextInt(2_000);
            Generation kept = empty(planned);
            Set<String> variants = new HashSet<>();
            int names = random.nextInt(planned * 12);
            for (int i = 0; i < names; i++) {
                String name = "name" + i;
                boolean isVariant = random.nextInt(20) == 0;
                assertThat(kept.add(name)).isTrue();
                if (isVariant) {
                    kept.noteVariant(name);
                    variants.add(name);
                }
            }
            keep(kept);
            Generation restored = read().generation();
            for (int i = 0; i < names + 10_000; i++) {
                String name = "name" + i;
                assertThat(restored.mightContain(name))
                        .as("%s of %d, planned %d, seed %d", name, names, planned, SEED)
                        .isEqualTo(kept.mightContain(name));
                assertThat(restored.hasVariant(name)).isEqualTo(kept.hasVariant(name));
                assertThat(i >= names || restored.mightContain(name)).isTrue();
            }
            assertThat(variants).allMatch(restored::hasVariant);
            assertThat(restored.variants()).isEqualTo(kept.variants());
            assertThat(restored.entries()).isEqualTo(kept.entries());
            assertThat(restored.isOutgrown()).isEqualTo(kept.isOutgrown());
        }
    }

    /** There are several tables, each written and read in several parts. */
    @Test
    void answersAsBeforeForAMillionNames() throws IOException {
        Generation kept = empty(600_000);
        for (int i = 0; i < 1_300_000; i++) {
            kept.add("name" + i);
        }
        keep(kept);
        Generation restored = read().generation();
        assertThat(IntStream.range(0, 1_500_000)
                        .mapToObj(i -> "name" + i)
                        .filter(name -> restored.mightContain(name) != kept.mightContain(name)))
                .isEmpty();
    }

    @Test
    void whatIsReadBackGrowsOnAndIsKeptAgain() throws IOException {
        Generation kept = empty(1_000);
        for (int i = 0; i < 500; i++) {
            assertThat(kept.add("name" + i)).isTrue();
        }
        keep(kept);
        Generation restored = read().generation();
        for (int i = 500; i < 3_000; i++) {
            assertThat(restored.add("name" + i)).isTrue();
        }
        keep(restored);
        Generation again = read().generation();
        for (int i = 0; i < 3_000; i++) {
            assertThat(again.mightContain("name" + i)).isTrue();
        }
    }

    @Test
    void saysWhereToGoOnAndHowOldItIs() throws IOException {
        keep(empty(10));
        KeptGeneration read = read();
        assertThat(read.position()).isEqualTo("7/1A");
        assertThat(read.scanned()).isEqualTo(SCANNED);
    }

    @Test
    void asksForThePositionBeforeItCopiesAnything() throws IOException {
        Generation growing = empty(10);
        assertThat(snapshots.keep(
                        FACTS,
                        SCANNED,
                        () -> {
                            growing.noteVariant("alice");
                            return Optional.of("alice is told");
                        },
                        growing))
                .isPresent();
        KeptGeneration read = read();
        assertThat(read.position()).isEqualTo("alice is told");
        assertThat(read.generation().hasVariant("alice")).isTrue();
    }

    /** Entries move in the table, and it splits, while it is copied. */
    @Test
    void holdsAllThatWasAddedBeforeThePositionItNames() throws IOException {
        Generation growing = empty(300_000);
        AtomicInteger added = new AtomicInteger();
        int all = 700_000;
        CompletableFuture<Void> adding = CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < all; i++) {
                        growing.add("name" + i);
                        added.set(i + 1);
                    }
                },
                work -> new Thread(work).start());
        int rounds = 0;
        while (!adding.isDone()) {
            assertThat(snapshots.keep(FACTS, SCANNED, () -> Optional.of(String.valueOf(added.get())), growing))
                    .isPresent();
            KeptGeneration read = read();
            int covered = Integer.parseInt(read.position());
            for (int i = 0; i < covered; i++) {
                if (!read.generation().mightContain("name" + i)) {
                    throw new AssertionError("name" + i + " of " + covered + " is forgotten");
                }
            }
            rounds++;
        }
        adding.join();
        System.out.println("kept " + rounds + " times while it grew");
        assertThat(rounds).isPositive();
    }

    @Test
    void anyByteChangedIsNoticed() throws IOException {
        Generation kept = empty(300_000);
        for (int i = 0; i < 200; i++) {
            assertThat(kept.add("name" + i)).isTrue();
            if (i % 2 != 0) {
                kept.noteVariant("name" + i);
            }
        }
        Path file = keep(kept);
        byte[] good = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 300; i++) {
            // The first kilobytes are the head; the last bytes a code.
            int at = i < 120 ? i : i < 140 ? good.length - 1 - (i - 120) : random.nextInt(good.length);
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, bad);
            assertThatThrownBy(this::read)
                    .as("byte %d, seed %d", at, SEED)
                    .isInstanceOf(SnapshotRefusedException.class);
        }
        Files.write(file, good);
        assertThat(read().generation().mightContain("name7")).isTrue();
    }

    @Test
    void whatIsTornOrLongerIsNoticed() throws IOException {
        Path file = keep(empty(10_000));
        byte[] good = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 100; i++) {
            int length = i < 40 ? i : i == 40 ? good.length - 1 : random.nextInt(good.length);
            Files.write(file, Arrays.copyOf(good, length));
            assertThatThrownBy(this::read).as("%d bytes", length).isInstanceOf(SnapshotRefusedException.class);
        }
        Files.write(file, Arrays.copyOf(good, good.length + 1));
        assertThatThrownBy(this::read).isInstanceOf(SnapshotRefusedException.class);
    }

    @Test
    void anotherFormatIsRefused() throws IOException {
        Path file = keep(empty(10));
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = 1;
        Files.write(file, bytes);
        assertThatThrownBy(this::read).hasMessageContaining("another format");
    }

    @Test
    void aFileOfAnotherKeyIsRefused() throws IOException {
        Path file = keep(empty(10));
        byte[] foreign = Files.readAllBytes(file);
        Files.delete(path.resolve("key"));
        assertThatThrownBy(this::read).hasMessageContaining("another key");
        keep(empty(10));
        assertThat(read()).isNotNull();
        Files.write(file, foreign);
        assertThatThrownBy(this::read).hasMessageContaining("another key");
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws IOException {
        Path key = path.resolve("key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(this::reopen).isInstanceOf(SnapshotRefusedException.class);
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() throws IOException {
        Files.write(path.resolve("key"), new byte[31]);
        assertThatThrownBy(this::reopen).isInstanceOf(SnapshotRefusedException.class);
    }

    @Test
    void aFolderThatOthersMayWriteOrThatIsALinkIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(parent.resolve("link"), path);
        snapshots.close();
        assertThatThrownBy(() -> Snapshots.open(link)).hasMessageContaining("not a link");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(this::reopen).isInstanceOf(SnapshotRefusedException.class);
    }

    @Test
    void aLinkAFifoOrAFolderInPlaceOfTheFileIsRefused() throws Exception {
        Path file = keep(empty(10));
        Path good = Files.move(file, path.resolve("elsewhere"));
        Files.createSymbolicLink(file, good);
        assertThatThrownBy(this::read).isInstanceOf(SnapshotRefusedException.class);
        Files.delete(file);
        Files.createDirectory(file);
        assertThatThrownBy(this::read).isInstanceOf(SnapshotRefusedException.class);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", file.toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThatThrownBy(this::read).isInstanceOf(SnapshotRefusedException.class);
        Files.delete(file);
        Files.move(good, file);
        assertThat(read()).isNotNull();
    }

    @Test
    void writingReplacesALinkAndLeavesWhatItNamed() throws IOException {
        Path file = keep(empty(10));
        Path foreign = Files.writeString(parent.resolve("foreign"), "untouched");
        Files.delete(file);
        Files.createSymbolicLink(file, foreign);
        Files.createSymbolicLink(path.resolve(file.getFileName() + ".new"), foreign);
        keep(empty(10));
        assertThat(foreign).hasContent("untouched");
        assertThat(read()).isNotNull();
        try (Stream<Path> all = Files.list(path)) {
            assertThat(all).hasSize(3);
        }
    }

    @Test
    void twoCheckersDoNotShareAFolder() throws IOException {
        assertThatThrownBy(() -> Snapshots.open(path)).hasMessageContaining("another checker");
        reopen();
    }

    @Test
    void aWriteThatFailsLeavesWhatWasKept() throws IOException {
        Generation kept = empty(10);
        assertThat(kept.add("alice")).isTrue();
        Path file = keep(kept);
        Path inTheWay = Files.createDirectory(path.resolve(file.getFileName() + ".new"));
        Files.createFile(inTheWay.resolve("something"));
        assertThatThrownBy(() -> keep(empty(10))).isInstanceOf(IOException.class);
        assertThat(read().generation().mightContain("alice")).isTrue();
    }

    @Test
    void whatFitsNoLongerIsRefused() throws IOException {
        keep(empty(10));
        for (GenerationFacts other : List.of(
                facts("username", "other names"),
                new GenerationFacts("username", "names", HashAlgorithm.SIP_HASH_1_3),
                new GenerationFacts("username", "names", HashAlgorithm.PACKED_WORDS, "Java 12"))) {
            assertThatThrownBy(() -> snapshots.read(other, FOLD, LIMITS))
                    .as("%s", other)
                    .isInstanceOf(SnapshotRefusedException.class);
        }
        assertThat(snapshots.read(facts("email", "names"), FOLD, LIMITS)).isEmpty();
    }

    @Test
    void aFileOfAnotherKindIsRefused() throws IOException {
        Path file = keep(empty(10));
        Files.copy(file, path.resolve("generation-656d61696c"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThatThrownBy(() -> snapshots.read(facts("email", "names"), FOLD, LIMITS))
                .hasMessageContaining("another kind");
    }

    @Test
    void whatIsForgottenIsGone() throws IOException {
        Path file = keep(empty(10));
        snapshots.forget("username");
        assertThat(file).doesNotExist();
        assertThat(snapshots.read(FACTS, FOLD, LIMITS)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "CUCKOO", mode = EnumSource.Mode.EXCLUDE)
    void otherFiltersAreNotKept(FilterType type) throws IOException {
        Generation generation =
                snapshots.generations(type, HashAlgorithm.PACKED_WORDS, LIMITS).generation(FOLD, 10);
        assertThat(snapshots.keep(FACTS, SCANNED, () -> Optional.of(""), generation))
                .isEmpty();
    }

    @Test
    void aGenerationUnderAKeyThatNobodyKnowsIsNotKept() throws IOException {
        Generation generation = GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, LIMITS)
                .generation(FOLD, 10);
        assertThat(snapshots.keep(FACTS, SCANNED, () -> Optional.of(""), generation))
                .isEmpty();
    }

    @Test
    void withoutAPositionNothingIsKept() throws IOException {
        assertThat(snapshots.keep(FACTS, SCANNED, Optional::empty, empty(10))).isEmpty();
        assertThat(snapshots.read(FACTS, FOLD, LIMITS)).isEmpty();
    }

    @Test
    void eachGenerationHasAHashKeyOfItsOwn() {
        assertThat(empty(10).hash("alice")).isNotEqualTo(empty(10).hash("alice"));
    }
}
