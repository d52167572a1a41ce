package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.plain.Address;
import io.github.untaken.jpa.plain.Visitor;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Weld's client proxies give themselves wherever the bean gives itself, even in the place of another type. */
class ClientProxyTest {

    /** With the listener, since a provider that tells nothing is refused without it. */
    @Test
    void aFactoryBehindAProxyThatUnwrapsToItselfIsHeard() {
        try (TestDatabase database = TestDatabase.of(Visitor.class, Address.class)) {
            RecordingSink sink = new RecordingSink();
            JpaIdentifiers identifiers = JpaIdentifiers.of(proxyOf(database.factory()));
            Looks.at(identifiers).connect(sink);

            database.inTransaction(entities -> entities.persist(new Visitor("alice", null)));

            assertThat(sink.lines()).containsExactly("T1 adding username alice", "T1 over");
            identifiers.disconnect();
        }
    }

    @Test
    void sourcesOfOneFactoryHaveOneOriginWhateverTheyAreMadeOf() {
        try (TestDatabase database = TestDatabase.of(Account.class);
                TestDatabase another = TestDatabase.of(Account.class)) {
            JpaIdentifiers identifiers = JpaIdentifiers.of(database.factory());
            assertThat(identifiers.origin())
                    .isEqualTo(JpaIdentifiers.of(proxyOf(database.factory())).origin())
                    .isEqualTo(identifiers.withStores(Map.of()).origin())
                    .isNotEqualTo(JpaIdentifiers.of(another.factory()).origin());
        }
    }

    private static EntityManagerFactory proxyOf(EntityManagerFactory factory) {
        return (EntityManagerFactory) Proxy.newProxyInstance(
                ClientProxyTest.class.getClassLoader(),
                new Class<?>[] {EntityManagerFactory.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(factory, arguments);
                        return result == factory ? proxy : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
