package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Announcement;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.phone.PhoneNumberNormalizer;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers in a column of the server's own collation, which merges width and much else. */
@ParameterizedClass
@EnumSource
class PhoneNumbersTest {
    private static final IdentifierKind PHONE = IdentifierKind.PHONE;

    private final Driver driver;

    PhoneNumbersTest(Driver driver) {
        this.driver = driver;
    }

    static List<String> collations() {
        return List.of(Product.UNDER_TEST.collation(), "utf8mb4_general_ci", "latin1_swedish_ci");
    }

    @ParameterizedTest
    @MethodSource("collations")
    void freeNumbersAreAnsweredFromMemoryAndTakenOnesFoundHoweverTheyAreWritten(String collation) throws SQLException {
        String charset = collation.substring(0, collation.indexOf('_'));
        List<String> stored = List.of("+8613800138000", "13800138001", "+86 138-0013-8002", "+8613800138004 ");
        try (Table table = new Table(driver, "varchar(40) character set " + charset + " collate " + collation);
                Connection connection = driver.connection()) {
            for (String number : stored) {
                table.insert(connection, number);
            }
            if (charset.equals("utf8mb4")) {
                table.insert(
                        connection,
                        "\uff0b\uff18\uff16\uff11\uff13\uff18\uff10\uff10\uff11\uff13\uff18\uff10\uff10\uff15");
            }
            connection.setAutoCommit(false);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .store(PHONE, table.store())
                    .normalizer(PHONE, PhoneNumberNormalizer.forRegion("CN"))
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("the scan", () -> checker.state(PHONE) != KindState.WARMING);
                assertThat(checker.stats(PHONE).reason()).isEmpty();
                for (String number : stored) {
                    assertThat(checker.check(PHONE, number.strip()).available()
                                    && isRefused(table, connection, number.strip()))
                            .as(number)
                            .isFalse();
                }
                int fromMemory = 0;
                for (int i = 0; i < 200; i++) {
                    String number = "+861380013" + (8000 + i);
                    boolean free = checker.check(PHONE, number).available();
                    fromMemory += checker.check(PHONE, number).decidedBy() == DecidedBy.FILTER ? 1 : 0;
                    assertThat(free && isRefused(table, connection, number))
                            .as(number)
                            .isFalse();
                }
                assertThat(fromMemory).isGreaterThan(180);
                try (Announcement announced = checker.registrations().announce(PHONE, "(0)138.0013/8300")) {
                    table.insert(connection, "(0)138.0013/8300");
                    connection.commit();
                }
                assertThat(checker.state(PHONE))
                        .as("as it is written, it equals no other")
                        .isEqualTo(KindState.READY);
                assertThat(checker.check(PHONE, "(0)138.0013/8300").available()).isFalse();
                assertThat(checker.check(PHONE, "+8613800138300").available())
                        .as("the column takes it beside the other")
                        .isEqualTo(!isRefused(table, connection, "+8613800138300"));
            }
        }
    }

    private static boolean isRefused(Table table, Connection connection, String number) throws SQLException {
        try {
            table.insert(connection, number);
            return false;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).startsWith("23");
            return true;
        } finally {
            connection.rollback();
        }
    }
}
