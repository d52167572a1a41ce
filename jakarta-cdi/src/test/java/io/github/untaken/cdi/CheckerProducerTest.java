package io.github.untaken.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManagerFactory;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The producer as Weld SE finds it by its {@code beans.xml}, beside the beans of an application. */
class CheckerProducerTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private static SeContainer application(Class<?>... beans) {
        return SeContainerInitializer.newInstance().addBeanClasses(beans).initialize();
    }

    private static Status status(SeContainer container, String name) {
        return container
                .select(AvailabilityChecker.class)
                .get()
                .check(USERNAME, name)
                .status();
    }

    private static void register(SeContainer container, String name) {
        EntityManagerFactory factory = container
                .select(EntityManagerFactory.class, NamedLiteral.of("accounts"))
                .get();
        factory.runInTransaction(entities -> entities.persist(Account.named(name)));
    }

    @Test
    void followsTheMarkedEntitiesAndLeavesOtherUnitsAlone() {
        try (SeContainer container = application(Units.class)) {
            assertThat(status(container, "Alice")).isEqualTo(Status.AVAILABLE);

            register(container, "alice");

            assertThat(status(container, "Alice")).isEqualTo(Status.TAKEN);
            assertThat(status(container, "bertha")).isEqualTo(Status.AVAILABLE);
        }
    }

    @Test
    void everybodyIsGivenTheSameChecker() {
        try (SeContainer container = application(Units.class)) {
            assertThat(container.select(AvailabilityChecker.class).get())
                    .isSameAs(container.select(AvailabilityChecker.class).get());
        }
    }

    @Test
    void isClosedBeforeTheDatabase() {
        Units.lastWord = Status.AVAILABLE;
        application(Units.class).close();
        assertThat(Units.lastWord).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void sourcesOfTheApplicationComeBesideItsFactories() {
        try (SeContainer container = application(Units.class, OwnSource.class)) {
            assertThat(OwnSource.connected).isTrue();
            assertThat(status(container, "carol")).isEqualTo(Status.TAKEN);
            register(container, "alice");
            assertThat(status(container, "Alice")).isEqualTo(Status.TAKEN);
        }
        assertThat(OwnSource.connected).isFalse();
    }

    /** Two sources of one factory would refuse one another. */
    @Test
    void aFactoryThatTheApplicationFollowsItselfIsFollowedOnce() {
        try (SeContainer container = application(Units.class, OwnSourceOfTheEntities.class)) {
            register(container, "alice");
            assertThat(status(container, "Alice")).isEqualTo(Status.TAKEN);
        }
    }

    @ApplicationScoped
    static class OwnSourceOfTheEntities {
        @Produces
        @ApplicationScoped
        IdentifierSource accounts(@Named("accounts") EntityManagerFactory factory) {
            return JpaIdentifiers.of(factory);
        }
    }

    @ApplicationScoped
    static class OwnSource implements IdentifierSource {
        static volatile boolean connected;

        private final RegisteredIdentifierStore store = store("carol");

        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return Map.of(USERNAME, List.of(store));
        }

        @Override
        public void connect(WriteSink sink) {
            connected = true;
        }

        @Override
        public void disconnect() {
            connected = false;
        }
    }

    @Test
    void whoObservesTheBuilderSetsItAndAddsStores() {
        try (SeContainer container = application(OwnSettings.class)) {
            assertThat(status(container, "dora")).isEqualTo(Status.TAKEN);
            assertThat(status(container, "ourbrand")).isEqualTo(Status.RESERVED);
        }
    }

    @ApplicationScoped
    static class OwnSettings {
        void set(@Observes AvailabilityCheckerBuilder builder) {
            builder.store(USERNAME, store("dora"))
                    .reserved(USERNAME, ReservedNames.of(List.of("ourbrand")))
                    .recheckTimeout(Duration.ofSeconds(30));
        }
    }

    @Test
    void anAlternativeOfTheApplicationTakesItsPlaceAndIsItsOwnToClose() {
        try (SeContainer container = application(Units.class, OwnChecker.class)) {
            assertThat(container.select(AvailabilityChecker.class).get()).isSameAs(OwnChecker.MADE);
        }
        assertThat(OwnChecker.MADE.check(USERNAME, "emma").status()).isEqualTo(Status.TAKEN);
        OwnChecker.MADE.close();
    }

    @ApplicationScoped
    static class OwnChecker {
        static final AvailabilityChecker MADE = AvailabilityChecker.builder()
                .store(USERNAME, store("emma"))
                .recheckTimeout(Duration.ofSeconds(30))
                .build();

        @Produces
        @Singleton
        @Alternative
        @Priority(1)
        AvailabilityChecker checker() {
            return MADE;
        }
    }

    @Test
    void withNothingToCheckAgainstTheApplicationDoesNotStartAndIsToldWhy() {
        assertThatThrownBy(() -> application(Object.class).close())
                .hasStackTraceContaining("there is nothing to check against")
                .hasStackTraceContaining("@Produces @PersistenceUnit EntityManagerFactory factory");
    }

    /** Payara tells the beans of a jar of the start before it has bound the names of the application. */
    @Test
    void aFactoryThatCannotBeHadAtTheStartIsAskedForAgain() {
        LateUnit.bound = false;
        try (SeContainer container = application(LateUnit.class)) {
            LateUnit.bound = true;
            assertThat(status(container, "Alice")).isEqualTo(Status.AVAILABLE);
        }
    }

    @ApplicationScoped
    static class LateUnit {
        static volatile boolean bound;

        @Produces
        @Singleton
        EntityManagerFactory factory() {
            if (!bound) {
                throw new IllegalStateException("Lookup failed");
            }
            return Units.factory("late", Account.class);
        }
    }

    @Test
    void theIndexKnowsTheProducer() throws Exception {
        try (InputStream index = CheckerProducer.class.getResourceAsStream("/META-INF/jandex.idx")) {
            assertThat(new String(index.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains("CheckerProducer");
        }
    }

    private static RegisteredIdentifierStore store(String taken) {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add(taken);
        return store;
    }
}
