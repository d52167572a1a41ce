package io.github.untaken.cluster.mysql;

import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.AbstractRowsEventDataDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.TableMapEventDataDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of the watched tables. Those of all others are not looked at. */
final class RowEvents {
    private static final int VARCHAR = 15;
    private static final int BLOB = 252;
    private static final int VAR_STRING = 253;
    private static final int STRING = 254;
    private static final long NO_TABLE = 0xffffff; // of an event that only ends a statement

    private final List<WatchedColumn> columns;
    private final boolean ignoresCase;
    /** By the number that the server uses for the table at the moment. */
    private final Map<Long, TableMapEventData> maps = new HashMap<>();

    private final Set<Long> others = new HashSet<>();

    private final Cells cells = new Cells(maps);

    /** @param ignoresCase whether the server ignores the case of table names */
    RowEvents(List<WatchedColumn> columns, boolean ignoresCase) {
        this.columns = columns;
        this.ignoresCase = ignoresCase;
    }

    /** A number may be given to another table later. Before its rows, the log says again whose it is. */
    void forget() {
        maps.clear();
        others.clear();
    }

    /** @throws UnfollowableException if the log has not said whose it is, not being read from a place between two transactions */
    boolean isWatched(long id) throws UnfollowableException {
        if (maps.containsKey(id)) {
            return true;
        }
        if (!others.contains(id) && id != NO_TABLE) {
            throw new UnfollowableException(
                    GapReason.CONTENT, "the binary log holds rows of a table that it has not described");
        }
        return false;
    }

    /** Rows of that table follow. */
    void described(byte[] map) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(map);
        long id = in.readLong(6);
        in.read(2);
        String schema = new String(in.read(in.readInteger(1)), StandardCharsets.UTF_8);
        in.read(1);
        String table = new String(in.read(in.readInteger(1)), StandardCharsets.UTF_8);
        if (columns.stream().anyMatch(column -> column.table().is(schema, table, ignoresCase))) {
            others.remove(id);
            maps.put(id, new TableMapEventDataDeserializer().deserialize(whole(map)));
        } else {
            maps.remove(id);
            others.add(id);
        }
    }

    private static ByteArrayInputStream whole(byte[] bytes) {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        in.enterBlock(bytes.length);
        return in;
    }

    /** @throws UnfollowableException if one of the identifiers cannot be told */
    void tell(int type, long id, byte[] body, LogListener listener) throws IOException, UnfollowableException {
        TableMapEventData map = maps.get(id);
        if (map == null) {
            throw new LogEvents.MalformedException();
        }
        boolean update = type == 24 || type == 31 || type == 167 || type == 170;
        boolean extra = type == 30 || type == 31 || type == 169 || type == 170;
        ByteArrayInputStream in = whole(body);
        in.read(2);
        if (extra) {
            in.read(in.readInteger(2) - 2);
        }
        int number = in.readPackedInteger();
        BitSet before = in.readBitSet(number, true);
        BitSet after = update ? in.readBitSet(number, true) : before;
        ByteArrayInputStream rows = type >= 166 ? whole(Compressed.inflated(in.read(in.available()))) : in;
        int[] places = places(map);
        while (rows.available() > 0) {
            if (update) {
                cells.row(id, before, rows);
            }
            @Nullable Serializable[] row = cells.row(id, after, rows);
            for (int i = 0; i < places.length; i++) {
                if (places[i] >= 0) {
                    tell(columns.get(i), places[i], after, row, update, listener);
                }
            }
        }
    }

    /** The place of each column in the rows of this table; -1 for columns of other tables. */
    private int[] places(TableMapEventData map) throws UnfollowableException {
        int[] places = new int[columns.size()];
        for (int i = 0; i < places.length; i++) {
            WatchedColumn column = columns.get(i);
            boolean has = column.table().is(map.getDatabase(), map.getTable(), ignoresCase);
            places[i] = has ? place(column, map) : -1;
        }
        return places;
    }

    /** The names stand in the log only with {@code binlog_row_metadata = FULL}. */
    private static int place(WatchedColumn column, TableMapEventData map) throws UnfollowableException {
        int place = column.place();
        List<String> names =
                map.getEventMetadata() == null ? null : map.getEventMetadata().getColumnNames();
        byte[] types = map.getColumnTypes();
        int type = place < types.length ? types[place] & 0xff : 0;
        boolean text = type == VARCHAR || type == BLOB || type == VAR_STRING || type == STRING;
        boolean named = names == null
                || names.isEmpty()
                || place < names.size() && names.get(place).equalsIgnoreCase(column.name());
        if (!text || !named) {
            throw new UnfollowableException(
                    GapReason.ALTERED,
                    "in the binary log the rows of " + column.table().name() + " do not have column " + column.name()
                            + " where the table has it, so it has been altered");
        }
        return place;
    }

    private static void tell(
            WatchedColumn column,
            int place,
            BitSet included,
            @Nullable Serializable[] row,
            boolean update,
            LogListener listener)
            throws UnfollowableException {
        if (!included.get(place)) {
            if (update && !column.computed()) {
                return; // unchanged
            }
            throw unknown(column, "does not hold column ", "; find the session that sets binlog_row_image");
        }
        Serializable value = row[included.get(0, place).cardinality()];
        if (value == null) {
            return;
        }
        try {
            listener.wrote(column, column.text().of((byte[]) value));
        } catch (CharacterCodingException e) {
            throw unknown(column, "holds no text in column ", "");
        }
    }

    private static UnfollowableException unknown(WatchedColumn column, String what, String why) {
        return new UnfollowableException(
                GapReason.CONTENT,
                "a row of the binary log " + what + column.name() + " of "
                        + column.table().name() + why);
    }

    /** Reads past the columns of a row as the library does, except for texts, whose character set it would guess. */
    private static final class Cells extends AbstractRowsEventDataDeserializer<EventData> {
        Cells(Map<Long, TableMapEventData> maps) {
            super(maps);
        }

        @Nullable Serializable[] row(long id, BitSet included, ByteArrayInputStream in) throws IOException {
            return deserializeRow(id, included, in);
        }

        @Override
        protected Serializable deserializeString(int length, ByteArrayInputStream in) throws IOException {
            return in.read(in.readInteger(length < 256 ? 1 : 2));
        }

        @Override
        protected Serializable deserializeVarString(int meta, ByteArrayInputStream in) throws IOException {
            return in.read(in.readInteger(meta < 256 ? 1 : 2));
        }

        @Override
        public EventData deserialize(ByteArrayInputStream in) {
            throw new UnsupportedOperationException("rows are read one by one");
        }
    }
}
