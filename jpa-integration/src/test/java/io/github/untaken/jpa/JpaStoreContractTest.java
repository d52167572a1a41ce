package io.github.untaken.jpa;

import io.github.untaken.jpa.plain.Address;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.AfterEach;

class JpaStoreContractTest extends RegisteredIdentifierStoreContract {
    private final EclipseLinkDatabase database = new EclipseLinkDatabase(Visitor.class, Address.class);
    private final RegisteredIdentifierStore store = new JpaIdentifierStore(database.factory(), "Visitor", "username");

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
        database.factory().runInTransaction(entities -> entities.persist(new Visitor(identifier, null)));
    }

    @Override
    protected void delete(String identifier) {
        database.factory()
                .runInTransaction(entities -> entities.remove(
                        entities.createQuery("select v from Visitor v where v.username = :name", Visitor.class)
                                .setParameter("name", identifier)
                                .getSingleResult()));
    }

    @Override
    protected void rollBack(String identifier) {
        try (EntityManager entities = database.factory().createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(new Visitor(identifier, null));
            entities.flush();
            entities.getTransaction().rollback();
        }
    }

    @Override
    protected void breakDatabase() {
        database.sql("shutdown immediately");
    }
}
