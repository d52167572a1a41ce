package io.github.untaken.jpa;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.AfterEach;

class HibernateStoreContractTest extends RegisteredIdentifierStoreContract {
    private final TestDatabase database = TestDatabase.of(Account.class);
    private final RegisteredIdentifierStore store = JpaIdentifiers.of(database.factory())
            .stores()
            .get(IdentifierKind.USERNAME)
            .get(0);

    @AfterEach
    void close() {
        database.close();
    }

    @Override
    protected RegisteredIdentifierStore store() {
        return store;
    }

    @Override
    protected void commit(String identifier) {
        database.inTransaction(entities -> entities.persist(Account.named(identifier)));
    }

    @Override
    protected void delete(String identifier) {
        database.inTransaction(
                entities -> entities.remove(entities.createQuery("from Account where username = :name", Account.class)
                        .setParameter("name", identifier)
                        .getSingleResult()));
    }

    @Override
    protected void rollBack(String identifier) {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(Account.named(identifier));
            entities.flush();
            entities.getTransaction().rollback();
        }
    }

    @Override
    protected void breakDatabase() {
        database.sql("shutdown immediately");
    }
}
