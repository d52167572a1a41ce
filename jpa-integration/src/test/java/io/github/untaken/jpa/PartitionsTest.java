package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Partitioned;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import io.github.untaken.testkit.Seed;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A table in parts: each row is in exactly one, with any key and under any changes meanwhile. */
@Tag("ci")
@ParameterizedClass
@EnumSource
class PartitionsTest {
    private static final long SEED = Seed.of(PartitionsTest.class, 20261122);

    /** The key is ordered as the database orders it, not as Java does. */
    @Entity(name = "Device")
    public static class Device {
        @Id
        public UUID id;

        @RegisteredIdentifier("username")
        public String username;
    }

    /** Its keys can be fewer than ranges. */
    @Entity(name = "Small")
    public static class Small {
        @Id
        public short id;

        @RegisteredIdentifier("username")
        public String username;
    }

    private final Engine engine;
    private TestDatabase database;

    PartitionsTest(Engine engine) {
        this.engine = engine;
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void open(Class<?> entity) {
        database = TestDatabase.on(engine, Map.of(), entity);
    }

    private Partitioned store() {
        return store(IdentifierKind.USERNAME);
    }

    private Partitioned store(IdentifierKind kind) {
        return (Partitioned)
                JpaIdentifiers.of(database.factory()).stores().get(kind).get(0);
    }

    private static List<String> scan(Partition partition) {
        List<String> values = new ArrayList<>();
        partition.scan(values::add);
        return values;
    }

    private static List<String> scanAll(Collection<Partition> partitions) {
        return partitions.stream()
                .flatMap(partition -> scan(partition).stream())
                .toList();
    }

    private void insertAccounts(LongStream ids) {
        String rows = ids.mapToObj(id -> "(" + id + ", 'u" + id + "')").collect(Collectors.joining(", "));
        database.sql("insert into Account (id, username) values " + rows);
    }

    @Test
    void eachRowOfAnyKeysIsInExactlyOne() {
        open(Account.class);
        Random random = new Random(SEED);
        List<List<Long>> cases = List.of(
                List.of(),
                List.of(0L),
                List.of(Long.MIN_VALUE),
                List.of(Long.MAX_VALUE),
                List.of(Long.MIN_VALUE, Long.MAX_VALUE),
                List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE - 1, Long.MAX_VALUE),
                List.of(-3L, -2L),
                List.of(7L, 8L, 9L),
                LongStream.range(-500, 500).boxed().toList(),
                random.longs(300).boxed().toList(),
                LongStream.range(0, 62).map(bit -> 1L << bit).boxed().toList(),
                LongStream.range(0, 62).map(bit -> -(1L << bit)).boxed().toList());
        for (List<Long> ids : cases) {
            database.sql("delete from Account");
            if (!ids.isEmpty()) {
                insertAccounts(ids.stream().mapToLong(Long::longValue));
            }
            List<String> expected = ids.stream().map(id -> "u" + id).toList();
            for (int wanted : new int[] {1, 2, Integer.MAX_VALUE}) {
                assertThat(scanAll(store().partitions(wanted)))
                        .as("%s in %s, seed %s", ids, wanted, SEED)
                        .containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void aSmallTypeOfKeyIsCutWithinItsRange() {
        open(Small.class);
        for (String ids : List.of("-32768, 32767", "32767", "-32768, 0, 1, 32767")) {
            database.sql("delete from Small");
            Stream.of(ids.split(", "))
                    .forEach(id -> database.sql("insert into Small (id, username) values (" + id + ", '" + id + "')"));
            assertThat(scanAll(store().partitions(8))).containsExactlyInAnyOrder(ids.split(", "));
        }
    }

    @Test
    void rowsAddedLaterBelongToOneToo() {
        open(Account.class);
        insertAccounts(LongStream.of(-7, 10, 20, 1_000_000));
        List<Partition> partitions = store().partitions(3);
        insertAccounts(LongStream.of(Long.MIN_VALUE, -8, -6, 0, 15, 999_999, 1_000_001, Long.MAX_VALUE));
        assertThat(scanAll(partitions))
                .containsExactlyInAnyOrder(
                        "u-7",
                        "u10",
                        "u20",
                        "u1000000",
                        "u" + Long.MIN_VALUE,
                        "u-8",
                        "u-6",
                        "u0",
                        "u15",
                        "u999999",
                        "u1000001",
                        "u" + Long.MAX_VALUE);
    }

    @Test
    void partitionsOfAnEmptyTableHoldWhatComes() {
        open(Account.class);
        List<Partition> partitions = store().partitions(4);
        assertThat(scanAll(partitions)).isEmpty();
        insertAccounts(LongStream.of(5, -5));
        assertThat(scanAll(partitions)).containsExactlyInAnyOrder("u5", "u-5");
    }

    @Test
    void strayKeysFarAwayLeaveTheOthersWellShared() {
        open(Account.class);
        database.sql("insert into Account (id, username) select x, 'u' || x from " + engine.numbers(20_000));
        insertAccounts(LongStream.of(Long.MIN_VALUE, -(1L << 40), 1L << 40, Long.MAX_VALUE));
        List<Integer> sizes = store().partitions(2).stream()
                .map(partition -> scan(partition).size())
                .toList();
        assertThat(Collections.max(sizes)).as("of %s", sizes).isLessThan(10_000);
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20_004);
    }

    @Test
    void noRowsAreReadToFindTheRangesOfANumber() throws SQLException {
        database = TestDatabase.counted(engine, Account.class);
        database.sql(
                "insert into Account (id, username) select x * 3, 'u' || x from " + engine.numbers(20_000), "analyze");
        Partitioned store = store();
        database.connections().forget();
        assertThat(store.partitions(4)).hasSizeGreaterThan(4);
        assertThat(store).isInstanceOf(Sampled.class);
        if (engine == Engine.H2) {
            ((Sampled) store).sample(20); // the same look-ups, and a few rows after each
        }
        List<String> queries = database.connections().queries().stream()
                .filter(query -> query.toLowerCase(Locale.ROOT).contains("account")) // not those to the catalog
                .toList();
        assertThat(queries).hasSizeGreaterThan(16);
        try (Connection connection = database.connection();
                Statement statement = connection.createStatement()) {
            for (String query : queries) {
                try (ResultSet plan = statement.executeQuery("explain analyze " + query)) {
                    plan.next();
                    String text = plan.getString(1);
                    while (plan.next()) {
                        text += plan.getString(1);
                    }
                    assertThat(text)
                            .as("%s", query)
                            .containsPattern(engine == Engine.H2 ? "scanCount: [0-9]{1,2} " : "Index.* rows=[01][. ]");
                }
            }
        }
    }

    @Test
    void aTextKeyIsCutInTheOrderOfTheDatabase() {
        open(NamedById.class);
        List<String> names = IntStream.range(0, 997)
                .mapToObj(i -> (i % 2 == 0 ? "user" : "User") + (i * 7919 % 997))
                .toList();
        database.sql(names.stream()
                .map(name -> "('" + name + "')")
                .collect(Collectors.joining(", ", "insert into NamedById (username) values ", "")));
        for (int wanted : new int[] {1, 2, 5, 30}) {
            List<Partition> partitions = store().partitions(wanted);
            assertThat(partitions).hasSize(wanted);
            assertThat(scanAll(partitions)).containsExactlyInAnyOrderElementsOf(names);
        }
        List<Partition> three = store().partitions(3);
        assertThat(three).allSatisfy(partition -> assertThat(scan(partition)).hasSizeBetween(300, 400));
        database.sql("insert into NamedById (username) values ('!'), ('~'), ('user5a'), ('\u5f20')");
        assertThat(scanAll(three)).hasSize(1_001).doesNotHaveDuplicates();
    }

    @Test
    void aUuidKeyIsCutInTheOrderOfTheDatabase() {
        open(Device.class);
        Random random = new Random(SEED);
        database.inTransaction(entities -> IntStream.range(0, 500).forEach(i -> {
            Device device = new Device();
            device.id = new UUID(random.nextLong(), random.nextLong());
            device.username = "u" + i;
            entities.persist(device);
        }));
        List<Partition> partitions = store().partitions(4);
        assertThat(partitions)
                .hasSize(4)
                .allSatisfy(partition -> assertThat(scan(partition)).hasSize(125));
        assertThat(scanAll(partitions)).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    void aKeyOfSeveralColumnsIsOnePartition() {
        open(Seat.class);
        database.inTransaction(entities -> {
            entities.persist(new Seat("red", "a7"));
            entities.persist(new Seat("blue", "a8"));
        });
        List<Partition> partitions = store(IdentifierKind.of("seat")).partitions(4);
        assertThat(partitions).hasSize(1);
        assertThat(scan(partitions.get(0))).containsExactlyInAnyOrder("a7", "a8");
    }

    @Test
    void whatIsNotTouchedIsDeliveredOnceWhileRowsComeAndGo() throws Exception {
        open(Account.class);
        int rows = 45_000;
        database.sql("insert into Account (id, username) select x * 2, 'u' || x from " + engine.numbers(rows));
        Random random = new Random(SEED);
        Set<Integer> touched = new TreeSet<>();
        while (touched.size() < 300) {
            touched.add(1 + random.nextInt(rows));
        }
        List<Integer> left = new ArrayList<>(touched);
        Collections.shuffle(left, random);

        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> threads = store().partitions(2).stream()
                .map(partition -> OtherThread.start(() -> {
                    int[] delivered = {0};
                    partition.scan(value -> {
                        seen.add(value);
                        if (++delivered[0] % 500 == 0) {
                            changeOne(left);
                        }
                    });
                }))
                .toList();
        for (CompletableFuture<Void> thread : threads) {
            thread.get(60, TimeUnit.SECONDS);
        }

        Set<String> distinct = new HashSet<>(seen);
        assertThat(seen).as("seed %s", SEED).hasSameSizeAs(distinct);
        assertThat(IntStream.rangeClosed(1, rows).filter(i -> !touched.contains(i) && !distinct.contains("u" + i)))
                .as("seed %s", SEED)
                .isEmpty();
        // A renamed row is delivered under one of its names, never under none.
        assertThat(touched.stream()
                        .filter(i -> i % 3 == 0)
                        .filter(i -> distinct.contains("u" + i) == distinct.contains("renamed" + i)))
                .as("seed %s", SEED)
                .isEmpty();
    }

    /** A rename, a deletion, or a new row; a third each. */
    private void changeOne(List<Integer> left) {
        int i;
        synchronized (left) {
            if (left.isEmpty()) {
                return;
            }
            i = left.remove(left.size() - 1);
        }
        switch (i % 3) {
            case 0 -> database.sql("update Account set username = 'renamed" + i + "' where id = " + i * 2);
            case 1 -> database.sql("delete from Account where id = " + i * 2);
            default -> database.sql("insert into Account (id, username) values (" + (i * 2 + 1) + ", 'new" + i + "')");
        }
    }

    @Test
    void noneIsRefused() {
        open(Account.class);
        assertThatThrownBy(() -> store().partitions(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but was 0");
    }
}
