package io.github.untaken.jpa;

import static io.github.untaken.jpa.CheckedDatabase.USERNAME;
import static io.github.untaken.jpa.CheckedDatabase.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hibernate.Session;
import org.hibernate.cfg.BatchSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What was refused costs no scan, and a delete frees its own name and no other. */
@Tag("ci")
@ParameterizedClass
@EnumSource(Engine.class)
class OftenToldTest {
    /** Refused sign-ups in a row; {@code -Dtest.refusals=100000} for the full number. */
    private static final int REFUSALS = Integer.getInteger("test.refusals", 300);

    private static CheckedDatabase checked;

    @Parameter
    private Engine engine;

    private KindStats before;

    @BeforeParameterizedClassInvocation
    static void start(Engine engine) {
        checked = new CheckedDatabase(TestDatabase.on(
                engine, Map.of(BatchSettings.STATEMENT_BATCH_SIZE, "5"), Account.class, IdentityAccount.class));
    }

    @AfterParameterizedClassInvocation
    static void close() {
        checked.close();
    }

    @BeforeEach
    void remember() {
        before = checked.stats();
    }

    private long entries() {
        return checked.stats().memory().entries() - before.memory().entries();
    }

    private void assertCostNoScan(long since) {
        assertThat(checked.checker().state(USERNAME)).isEqualTo(KindState.READY);
        assertThat(ReadyCheckers.scannedSince(since, checked.checker(), USERNAME))
                .isFalse();
        assertThat(checked.stats().underWay().open()).isZero();
        assertThat(checked.stats().underWay().lingering()).isZero();
    }

    // ---------------------------------------------------------------- refused sign-ups

    @Test
    void signUpsOfATakenNameCostNoScan() {
        String taken = checked.member();
        long then = System.nanoTime();
        for (int i = 0; i < REFUSALS; i++) {
            assertThatThrownBy(() -> checked.signUp(taken)).isInstanceOf(RuntimeException.class);
        }
        assertCostNoScan(then);
        checked.assertTaken(taken);
    }

    @Test
    void signUpsThatAreRolledBackCostNoScan() {
        String[] free = new String[3];
        long then = System.nanoTime();
        for (int i = 0; i < REFUSALS; i++) {
            String name = checked.freshName();
            free[i % free.length] = name;
            try (EntityManager entities = checked.database().factory().createEntityManager()) {
                entities.getTransaction().begin();
                entities.persist(Account.named(name));
                entities.flush();
                entities.getTransaction().rollback();
            }
        }
        assertCostNoScan(then);
        checked.assertAvailable(free);
    }

    @Test
    void signUpsRefusedForAnotherAttributeAndRolledBackCostNoScan() {
        String taken = checked.member();
        String phone = "+49" + taken.hashCode();
        checked.database().inTransaction(entities -> find(entities, taken).phone = phone);
        String[] free = new String[3];
        long then = System.nanoTime();
        for (int i = 0; i < REFUSALS; i++) {
            String name = checked.freshName();
            free[i % free.length] = name;
            try (EntityManager entities = checked.database().factory().createEntityManager()) {
                entities.getTransaction().begin();
                entities.persist(new Account(name, phone));
                assertThatThrownBy(entities::flush).isInstanceOf(RuntimeException.class);
                entities.getTransaction().rollback();
            }
        }
        assertCostNoScan(then);
        checked.assertAvailable(free);
        checked.assertTaken(taken);
    }

    @Test
    void aNameRefusedOftenIsFreedByOneDelete() {
        String name = checked.member();
        String other = checked.member();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> checked.signUp(name)).isInstanceOf(RuntimeException.class);
        }
        delete(name);
        checked.assertAvailable(name);
        checked.assertTaken(other);
    }

    // ---------------------------------------------------------------- deletes

    private void delete(String name) {
        checked.database().inTransaction(entities -> entities.remove(find(entities, name)));
    }

    @Test
    void aStaleEntityThatIsRemovedAgainHarmsNobody() {
        String name = checked.member();
        String other = checked.member();
        try (Session stale = checked.database().sessions().openSession()) {
            Account account = find(stale, name);
            delete(name);
            stale.beginTransaction();
            assertThatThrownBy(() -> {
                        stale.remove(account);
                        stale.flush();
                    })
                    .isInstanceOf(RuntimeException.class);
            try {
                stale.getTransaction().commit();
            } catch (RuntimeException refused) {
                // as Hibernate likes
            }
        }
        checked.assertAvailable(name);
        checked.assertTaken(other);
    }

    @Test
    void aStaleEntityAmongOthersOfABatchHarmsNobody() {
        String name = checked.member();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(checked.member());
        }
        try (Session stale = checked.database().sessions().openSession()) {
            List<Account> accounts = new ArrayList<>();
            accounts.add(find(stale, others.get(0)));
            accounts.add(find(stale, name));
            accounts.add(find(stale, others.get(1)));
            delete(name);
            stale.beginTransaction();
            assertThatThrownBy(() -> {
                        accounts.forEach(stale::remove);
                        stale.flush();
                    })
                    .isInstanceOf(RuntimeException.class);
            try {
                stale.getTransaction().commit();
            } catch (RuntimeException refused) {
                // as Hibernate likes
            }
        }
        checked.assertTaken(others.toArray(String[]::new));
        checked.assertAvailable(name);
    }

    @Test
    void aDoubleClickFreesTheName() throws Exception {
        String name = checked.member();
        String other = checked.member();
        CountDownLatch bothHaveLoaded = new CountDownLatch(2);
        List<CompletableFuture<Boolean>> clicks = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            // A thread for each: the common pool of a small machine has one, and they wait for each other.
            clicks.add(CompletableFuture.supplyAsync(
                    () -> deleteAfter(bothHaveLoaded, name), task -> new Thread(task, "click").start()));
        }
        int succeeded = 0;
        for (CompletableFuture<Boolean> click : clicks) {
            succeeded += click.get(20, TimeUnit.SECONDS) ? 1 : 0;
        }
        assertThat(succeeded).isEqualTo(1);
        checked.assertAvailable(name);
        checked.assertTaken(other);
    }

    private boolean deleteAfter(CountDownLatch bothHaveLoaded, String name) {
        try {
            checked.database().inTransaction(entities -> {
                Account account = find(entities, name);
                bothHaveLoaded.countDown();
                try {
                    if (!bothHaveLoaded.await(20, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("the other click never came");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                entities.remove(account);
            });
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Test
    void oneNameThatComesAndGoesIsOneEntry() {
        String name = checked.freshName();
        for (int i = 0; i < 10; i++) {
            checked.signUp(name);
            checked.assertTaken(name);
            delete(name);
            checked.assertAvailable(name);
        }
        checked.signUp(name);
        checked.assertTaken(name);
        assertThat(entries()).isEqualTo(1);
        checked.rescan();
        assertThat(checked.stats().memory().entries()).isEqualTo(checked.committedRows());
    }
}
