package io.github.untaken.jdbc;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table of MariaDB or MySQL. */
final class MySqlStore extends SharedTableStore implements RegisteredIdentifierStore.Folding {

    /** What tells one server from another; each knows some of these. */
    private static final String SERVER = "show global variables where variable_name in"
            + " ('server_uuid', 'server_uid', 'server_id', 'hostname', 'port', 'read_only', 'innodb_read_only')";

    /** The place in InnoDB's log, which goes on after a restart, and back with a restored backup. */
    private static final String POSITION =
            "show global status where variable_name in ('Innodb_lsn_current', 'Innodb_redo_log_current_lsn')";

    private final MySqlComparison comparison;
    private volatile @Nullable MySqlFolding folding;

    MySqlStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks) {
        this(column, reads, catalog, ownTransactions, barrier, marks, new MySqlComparison(column));
    }

    private MySqlStore(
            IdentifierColumn column,
            FreshReads reads,
            TableCatalog catalog,
            Consumer<Duration> ownTransactions,
            DatabaseBarrier barrier,
            WriterMarks marks,
            MySqlComparison comparison) {
        super(column, reads, catalog, ownTransactions, barrier, marks, comparison);
        this.comparison = comparison;
    }

    @Override
    public Optional<String> foldInto(String alphabet) {
        try {
            folding = reads.run(
                    column.toString(),
                    connection -> MySqlFolding.of(alphabet, comparison.describedAnew(connection), connection));
            return Optional.empty();
        } catch (MySqlFolding.NotTold e) {
            return Optional.of(e.how());
        }
    }

    @Override
    public List<Set<String>> foldedEach(List<String> values) {
        MySqlFolding by = Objects.requireNonNull(folding, "foldInto comes first");
        return new FoldedValues(by, comparison, column, reads, value -> {}).equalTo(values);
    }

    @Override
    void deliver(Partition rows, Consumer<String> values) {
        MySqlFolding by = folding;
        if (by == null) {
            rows.scan(values);
            return;
        }
        FoldedValues folded = new FoldedValues(by, comparison, column, reads, values);
        rows.scan(folded);
        folded.lookUp();
    }

    @Override
    public DatabaseMark present() {
        return reads.run("the identity of the database", connection -> {
            Map<String, String> server = settings(SERVER, connection);
            if (isOn(server.remove("read_only")) || isOn(server.remove("innodb_read_only"))) {
                throw Lookup.notThePrimary();
            }
            long position = settings(POSITION, connection).values().stream()
                    .mapToLong(Long::parseLong)
                    .max()
                    .orElse(0);
            return new DatabaseMark(String.join("/", server.values()), position);
        });
    }

    private static boolean isOn(@Nullable String setting) {
        return setting != null && !setting.equals("OFF") && !setting.equals("0");
    }

    private static Map<String, String> settings(String sql, Connection connection) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return settings;
    }
}
