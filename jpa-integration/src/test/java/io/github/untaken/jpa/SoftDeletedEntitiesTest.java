package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.SQLDelete;
import org.junit.jupiter.api.Test;

/** Entities whose rows stay in the table when they are deleted, and whose names are free again. */
class SoftDeletedEntitiesTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    @Entity(name = "Kept")
    @Table(name = "Kept")
    @SQLDelete(sql = "update Kept set deleted = true where id = ?")
    public static class Kept {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;

        public boolean deleted;
    }

    @Entity(name = "KeptAsSaid")
    @Table(name = "Kept")
    @SQLDelete(sql = "update Kept set deleted = true where id = ?")
    public static class KeptAsSaid {
        @Id
        public long id;

        @RegisteredIdentifier(value = "username", where = "not deleted")
        public String username;

        public boolean deleted;
    }

    private static void assertStatus(AvailabilityChecker checker, Status status) {
        for (int i = 0; i < 2; i++) {
            assertThat(checker.check(USERNAME, "alice77").status()).isEqualTo(status);
            assertThat(checker.check(USERNAME, "alice77").decidedBy()).isEqualTo(DecidedBy.STORE);
        }
        assertThat(checker.checkAll(USERNAME, List.of("nobody77", "alice77"))
                        .get(1)
                        .status())
                .isEqualTo(status);
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
    }

    @Test
    void onPostgresTheConditionOfTheUniqueIndexCounts() {
        try (TestDatabase database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), Kept.class)) {
            database.sql("create unique index kept_live on Kept (username) where not deleted");
            deletedAndRevived(database, id -> {
                Kept kept = new Kept();
                kept.id = id;
                kept.username = "alice77";
                return kept;
            });
        }
    }

    @Test
    void elsewhereWhatTheAnnotationSaysCounts() {
        try (TestDatabase database = TestDatabase.on(Engine.H2, Map.of(), KeptAsSaid.class)) {
            deletedAndRevived(database, id -> {
                KeptAsSaid kept = new KeptAsSaid();
                kept.id = id;
                kept.username = "alice77";
                return kept;
            });
        }
    }

    private interface Maker {
        Object alice(long id);
    }

    private static void deletedAndRevived(TestDatabase database, Maker maker) {
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(database.factory()))
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .rescanInterval(Duration.ofDays(1))
                .build()) {
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            Class<?> entity = maker.alice(0).getClass();
            database.inTransaction(entities -> entities.persist(maker.alice(1)));
            assertStatus(checker, Status.TAKEN);
            database.inTransaction(entities -> entities.remove(entities.find(entity, 1L)));
            assertStatus(checker, Status.AVAILABLE);
            database.inTransaction(entities -> entities.persist(maker.alice(2)));
            assertStatus(checker, Status.TAKEN);
            database.inTransaction(entities -> entities.remove(entities.find(entity, 2L)));
            assertStatus(checker, Status.AVAILABLE);
            database.sql("update Kept set deleted = false where id = 1"); // nobody hears of it
            assertStatus(checker, Status.TAKEN);
        }
    }
}
