package io.github.untaken.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How the values of a primary key are bound and read: those that can be bound again as they were read, and are then equal. */
public enum KeyType {
    SHORT(true) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setShort(index, (Short) value);
        }

        @Override
        Object get(ResultSet row, int index) throws SQLException {
            return row.getShort(index);
        }

        @Override
        Object ofNumber(BigInteger number) {
            return number.shortValueExact();
        }
    },
    INTEGER(true) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setInt(index, (Integer) value);
        }

        @Override
        Object get(ResultSet row, int index) throws SQLException {
            return row.getInt(index);
        }

        @Override
        Object ofNumber(BigInteger number) {
            return number.intValueExact();
        }
    },
    LONG(true) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setLong(index, (Long) value);
        }

        @Override
        Object get(ResultSet row, int index) throws SQLException {
            return row.getLong(index);
        }

        @Override
        Object ofNumber(BigInteger number) {
            return number.longValueExact();
        }
    },
    BIG_INTEGER(true) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setBigDecimal(index, new BigDecimal((BigInteger) value));
        }

        @Override
        @Nullable Object get(ResultSet row, int index) throws SQLException {
            BigDecimal number = row.getBigDecimal(index);
            return number == null ? null : number.toBigIntegerExact();
        }

        @Override
        Object ofNumber(BigInteger number) {
            return number;
        }
    },
    TEXT(false) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setString(index, (String) value);
        }

        @Override
        @Nullable Object get(ResultSet row, int index) throws SQLException {
            return row.getString(index);
        }
    },
    UUID(false) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            statement.setObject(index, value);
        }

        @Override
        @Nullable Object get(ResultSet row, int index) throws SQLException {
            return row.getObject(index, java.util.UUID.class);
        }
    },
    /** A UUID that is kept as its sixteen bytes. */
    UUID_IN_BYTES(false) {
        @Override
        void bind(PreparedStatement statement, int index, Object value) throws SQLException {
            java.util.UUID id = (java.util.UUID) value;
            statement.setBytes(
                    index,
                    ByteBuffer.allocate(16)
                            .putLong(id.getMostSignificantBits())
                            .putLong(id.getLeastSignificantBits())
                            .array());
        }

        @Override
        @Nullable Object get(ResultSet row, int index) throws SQLException {
            byte[] bytes = row.getBytes(index);
            if (bytes == null) {
                return null;
            }
            ByteBuffer id = ByteBuffer.wrap(bytes);
            return new java.util.UUID(id.getLong(), id.getLong());
        }
    };

    private final boolean number;

    KeyType(boolean number) {
        this.number = number;
    }

    abstract void bind(PreparedStatement statement, int index, Object value) throws SQLException;

    abstract @Nullable Object get(ResultSet row, int index) throws SQLException;

    @Nullable Object read(ResultSet row, int index) throws SQLException {
        Object value = get(row, index);
        return row.wasNull() ? null : value;
    }

    boolean isNumber() {
        return number;
    }

    /** A whole number as a value of this type, whose range holds it. */
    Object ofNumber(BigInteger number) {
        throw new UnsupportedOperationException(this + " is no number");
    }
}
