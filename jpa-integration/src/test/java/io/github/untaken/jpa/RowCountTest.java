package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Unchecked;
import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Hibernate itself checks, on which the word "proved" rests: an entity without a version whose row is gone cannot be
 * updated or deleted unnoticed, in a batch or out of it, unless its own SQL says otherwise.
 */
@Tag("ci")
class RowCountTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void aDeleteOfARowThatIsGoneFails(int batch) {
        try (TestDatabase database = database(batch, Account.class)) {
            database.inTransaction(entities -> entities.persist(Account.named("alice")));
            assertThatThrownBy(() -> change(database, Account.class, "delete from Account", EntityManager::remove))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void aRenameOfARowThatIsGoneFails(int batch) {
        try (TestDatabase database = database(batch, Account.class)) {
            database.inTransaction(entities -> entities.persist(Account.named("alice")));
            assertThatThrownBy(() -> change(
                            database,
                            Account.class,
                            "delete from Account",
                            (entities, account) -> account.username = "bob"))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void aDeleteOfAJoinedSubclassThatIsGoneFails(int batch) {
        try (TestDatabase database = database(batch, Party.class, Company.class)) {
            database.inTransaction(entities -> entities.persist(new Company("acme", "de1")));
            assertThatThrownBy(() -> change(
                            database, Company.class, "delete from Company; delete from Party", EntityManager::remove))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void uncheckedSqlDoesNotNotice(int batch) {
        try (TestDatabase database = database(batch, Unchecked.class)) {
            database.inTransaction(entities -> entities.persist(new Unchecked("alice")));
            assertThatCode(() -> change(database, Unchecked.class, "delete from Unchecked", EntityManager::remove))
                    .doesNotThrowAnyException();
        }
    }

    private static TestDatabase database(int batch, Class<?>... entities) {
        return TestDatabase.with(Map.of("hibernate.jdbc.batch_size", String.valueOf(batch)), entities);
    }

    private interface Change<T> {
        void apply(EntityManager entities, T entity);
    }

    private static <T> void change(TestDatabase database, Class<T> type, String behindItsBack, Change<T> change) {
        Consumer<EntityManager> work = entities -> {
            T entity =
                    entities.createQuery("from " + type.getSimpleName(), type).getSingleResult();
            assertThat(entity).isNotNull();
            database.sql(behindItsBack.split(";"));
            change.apply(entities, entity);
        };
        database.inTransaction(work);
    }
}
