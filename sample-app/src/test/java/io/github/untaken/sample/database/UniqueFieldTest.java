package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class UniqueFieldTest {

    @Test
    void findsTheConstraintUnderTheCauses() {
        SQLException violation = violation("PUBLIC.UQ_ACCOUNT_PHONE_INDEX_2 ON PUBLIC.ACCOUNT(PHONE) VALUES ('x')");
        assertThat(UniqueField.violatedIn(new IllegalStateException(new RuntimeException(violation))))
                .contains(UniqueField.PHONE);
    }

    @Test
    void doesNotTakeAValueForTheConstraint() {
        assertThat(UniqueField.violatedIn(
                        violation("PUBLIC.UQ_ACCOUNT_USERNAME_INDEX_2 ON PUBLIC.ACCOUNT VALUES ('UQ_ACCOUNT_PHONE')")))
                .contains(UniqueField.USERNAME);
        assertThat(UniqueField.violatedIn(violation("PRIMARY_KEY ON PUBLIC.ACCOUNT VALUES ('UQ_ACCOUNT_PHONE')")))
                .isEmpty();
    }

    @Test
    void otherFailuresAreNone() {
        assertThat(UniqueField.violatedIn(new SQLException("UQ_ACCOUNT_PHONE timeout", "HYT00")))
                .isEmpty();
        assertThat(UniqueField.violatedIn(new IllegalStateException("UQ_ACCOUNT_PHONE")))
                .isEmpty();
    }

    private static SQLException violation(String what) {
        return new SQLException("Unique index or primary key violation: \"" + what + "\"", "23505");
    }
}
