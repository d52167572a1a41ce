package io.github.untaken.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The types of primary keys that a scan can follow: values can be bound again as they were read, and are equal then.
 */
@SuppressWarnings("ImmutableEnumChecker") // method references and lambdas that hold nothing
public enum KeyType {
    SHORT(
            (statement, i, value) -> statement.setShort(i, (Short) value),
            ResultSet::getShort,
            BigInteger::shortValueExact),
    INTEGER(
            (statement, i, value) -> statement.setInt(i, (Integer) value),
            ResultSet::getInt,
            BigInteger::intValueExact),
    LONG((statement, i, value) -> statement.setLong(i, (Long) value), ResultSet::getLong, BigInteger::longValueExact),
    BIG_INTEGER(
            (statement, i, value) -> statement.setBigDecimal(i, new BigDecimal((BigInteger) value)),
            KeyType::bigInteger,
            number -> number),
    TEXT((statement, i, value) -> statement.setString(i, (String) value), ResultSet::getString, null),
    UUID(PreparedStatement::setObject, (row, i) -> row.getObject(i, java.util.UUID.class), null),
    /** A UUID that is kept as its sixteen bytes. */
    UUID_IN_BYTES(
            (statement, i, value) -> statement.setBytes(i, bytes((java.util.UUID) value)), KeyType::uuidOfBytes, null);

    private interface Binding {
        void bind(PreparedStatement statement, int index, Object value) throws SQLException;
    }

    private interface Reading {
        @Nullable Object read(ResultSet row, int index) throws SQLException;
    }

    private final Binding binding;
    private final Reading reading;
    private final @Nullable Function<BigInteger, Object> ofNumber;

    KeyType(Binding binding, Reading reading, @Nullable Function<BigInteger, Object> ofNumber) {
        this.binding = binding;
        this.reading = reading;
        this.ofNumber = ofNumber;
    }

    void bind(PreparedStatement statement, int index, Object value) throws SQLException {
        binding.bind(statement, index, value);
    }

    @Nullable Object read(ResultSet row, int index) throws SQLException {
        Object value = reading.read(row, index);
        return row.wasNull() ? null : value;
    }

    boolean isNumber() {
        return ofNumber != null;
    }

    /** A whole number as a value of this type, whose range must hold it. Only if {@link #isNumber}. */
    Object ofNumber(BigInteger number) {
        return Objects.requireNonNull(ofNumber).apply(number);
    }

    private static @Nullable BigInteger bigInteger(ResultSet row, int index) throws SQLException {
        BigDecimal number = row.getBigDecimal(index);
        return number == null ? null : number.toBigIntegerExact();
    }

    private static byte[] bytes(java.util.UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static java.util.@Nullable UUID uuidOfBytes(ResultSet row, int index) throws SQLException {
        byte[] bytes = row.getBytes(index);
        if (bytes == null) {
            return null;
        }
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new java.util.UUID(id.getLong(), id.getLong());
    }
}
