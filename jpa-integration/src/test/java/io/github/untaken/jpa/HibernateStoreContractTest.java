package io.github.untaken.jpa;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.RegisteredIdentifierStoreContract;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("ci")
@ParameterizedClass
@EnumSource
class HibernateStoreContractTest extends RegisteredIdentifierStoreContract {
    private final Engine engine;
    private final TestDatabase database;
    private final RegisteredIdentifierStore store;
    private final List<EntityManagerFactory> others = new ArrayList<>();

    HibernateStoreContractTest(Engine engine) {
        this.engine = engine;
        database = TestDatabase.on(engine, Map.of(), Account.class);
        store = store(database.factory());
    }

    private static RegisteredIdentifierStore store(EntityManagerFactory factory) {
        return JpaIdentifiers.of(factory).stores().get(IdentifierKind.USERNAME).get(0);
    }

    @AfterEach
    void close() {
        others.forEach(EntityManagerFactory::close);
        database.close();
    }

    @Override
    protected Optional<RegisteredIdentifierStore> storeOfAnotherProcess() {
        if (engine == Engine.H2) {
            return Optional.empty(); // within this process alone
        }
        EntityManagerFactory other = database.anotherFactory(Map.of(), Account.class);
        others.add(other);
        return Optional.of(store(other));
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
        database.vanish();
    }
}
