package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Constrained;
import io.github.untaken.test.database.Engine;
import org.junit.jupiter.api.Test;

/** The constraint on an entity would refuse every sign-up, so the factory is refused before. */
class ConstrainedEntitiesTest {

    @Test
    void theConstraintOfAFormIsRefusedOnAnEntityWithWhereItBelongs() {
        try (TestDatabase database = TestDatabase.counted(Engine.H2, Account.class, Constrained.class)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .withMessageContaining("entities.Constrained")
                    .withMessageContaining("form object");
        }
    }

    @Test
    void withoutItTheEntitiesAreFollowed() {
        try (TestDatabase database = TestDatabase.counted(Engine.H2, Account.class)) {
            assertThat(JpaIdentifiers.of(database.factory()).stores()).isNotEmpty();
        }
    }
}
