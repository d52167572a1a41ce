package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Partitioned;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of every type lead through a table, in pages, in parts and by samples. */
class KeyTypesTest {
    private static final int ROWS = 21_000;
    private static final int SAMPLES = 200;

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "H2! SHORT! smallint! x - 20000",
                "H2! INTEGER! int! x * 3",
                "H2! LONG! bigint! x * 3000000000",
                "H2! BIG_INTEGER! numeric(38)! cast(x as numeric(38)) * 100000000000000000000",
                "H2! TEXT! varchar(20)! 'k' || x",
                "H2! UUID! uuid! random_uuid()",
                "H2! UUID_IN_BYTES! binary(16)! cast(random_uuid() as binary(16))",
                "POSTGRESQL! SHORT! smallint! x - 20000",
                "POSTGRESQL! INTEGER! int! x * 3",
                "POSTGRESQL! LONG! bigint! x * 3000000000",
                "POSTGRESQL! BIG_INTEGER! numeric(38)! x * 100000000000000000000",
                "POSTGRESQL! TEXT! varchar(20)! 'k' || x",
                "POSTGRESQL! UUID! uuid! gen_random_uuid()",
                "POSTGRESQL! UUID_IN_BYTES! bytea! decode(md5(x::text), 'hex')"
            })
    void everyRowIsReadOnce(Engine engine, KeyType type, String sqlType, String value) {
        try (TestTable table = TestTable.on(engine, "varchar(20)")) {
            table.sql(
                    "drop table TABLE",
                    "create table TABLE (id " + sqlType + " primary key, username varchar(20))",
                    "insert into TABLE select " + value + ", 'u' || x from " + engine.numbers(ROWS));
            RegisteredIdentifierStore store =
                    table.store(new IdentifierColumn(table.name(), "username", new IdentifierColumn.Key("id", type)));
            List<String> values = new ArrayList<>();
            store.scan(values::add);
            assertThat(values.stream().distinct().count()).isEqualTo(ROWS);
            assertThat(values).hasSize(ROWS);
            values.clear();
            List<Partition> parts = ((Partitioned) store).partitions(2);
            assertThat(parts).hasSizeGreaterThan(1);
            parts.forEach(part -> part.scan(values::add));
            assertThat(values.stream().distinct().count()).isEqualTo(ROWS);
            assertThat(values).hasSize(ROWS);
            for (int i = 0; i < SAMPLES; i++) {
                assertThat(((Sampled) store).sample(10)).hasSizeBetween(1, 10);
            }
        }
    }
}
