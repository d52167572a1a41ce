package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.plain.Visitor;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.ExcludeDefaultListeners;
import jakarta.persistence.ExcludeSuperclassListeners;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import java.util.List;
import java.util.function.Function;
import org.eclipse.persistence.annotations.AdditionalCriteria;
import org.junit.jupiter.api.Test;

/** Whether EclipseLink calls the listener: what is accepted tells of a write, and what would not tell of it is refused. */
class ListenedEntitiesTest {
    private static final String LINE = "@EntityListeners(AvailabilityEntityListener.class)";

    private final RecordingSink sink = new RecordingSink();

    @Entity
    @Inheritance(strategy = InheritanceType.SINGLE_TABLE)
    public static class Bare {
        @Id
        public long id = 1;

        @RegisteredIdentifier("username")
        public String username;

        protected Bare() {}

        public Bare(String username) {
            this.username = username;
        }
    }

    @Entity
    @ExcludeDefaultListeners
    public static class BareAndAlone extends Bare {}

    @Entity
    @EntityListeners(AvailabilityEntityListener.class)
    public static class Annotated {
        @Id
        public long id = 1;

        @RegisteredIdentifier("username")
        public String username;

        protected Annotated() {}

        public Annotated(String username) {
            this.username = username;
        }
    }

    @Entity
    @ExcludeSuperclassListeners
    public static class Deaf extends Visitor {}

    @MappedSuperclass
    @EntityListeners(AvailabilityEntityListener.class)
    public static class Base {
        @Id
        public long id = 1;
    }

    @Entity
    public static class Heir extends Base {
        @RegisteredIdentifier("username")
        public String username;

        protected Heir() {}

        public Heir(String username) {
            this.username = username;
        }
    }

    @Entity
    @EntityListeners(AvailabilityEntityListener.class)
    @AdditionalCriteria("this.username <> 'x'")
    public static class Veiled {
        @Id
        public long id = 1;

        @RegisteredIdentifier("username")
        public String username;
    }

    private void tells(List<String> mappings, Function<String, Object> entity, Class<?>... entities) {
        try (EclipseLinkDatabase database = new EclipseLinkDatabase(mappings, entities)) {
            JpaIdentifiers source = JpaIdentifiers.of(database.factory());
            source.connect(sink);
            database.factory().runInTransaction(session -> {
                session.persist(entity.apply("alice"));
                session.flush();
                sink.note("written");
            });
            source.disconnect();
        }
        assertThat(sink.lines().subList(0, sink.lines().indexOf("written"))).contains("T1 adding username alice");
    }

    private static void isRefused(List<String> mappings, Class<?> named, Class<?>... entities) {
        try (EclipseLinkDatabase database = new EclipseLinkDatabase(mappings, entities)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(named.getName())
                    .hasMessageContaining(LINE);
        }
    }

    @Test
    void anEntityWithoutTheListenerIsRefusedWithTheLineToAdd() {
        isRefused(List.of(), Bare.class, Bare.class);
    }

    @Test
    void oneThatExcludesTheListenerOfItsSuperclassIsRefused() {
        isRefused(List.of(), Deaf.class, Visitor.class, Deaf.class);
    }

    @Test
    void theListenerOfAMappedSuperclassTells() {
        tells(List.of(), Heir::new, Heir.class, Base.class);
    }

    @Test
    void aListenerInOrmXmlTells() {
        tells(List.of("listener-of-an-entity.xml"), Bare::new, Bare.class);
    }

    @Test
    void theDefaultListenerOfAUnitTells() {
        tells(List.of("listener-of-a-unit.xml"), Bare::new, Bare.class);
    }

    @Test
    void anEntityThatExcludesDefaultListenersIsRefused() {
        isRefused(List.of("listener-of-a-unit.xml"), BareAndAlone.class, Bare.class, BareAndAlone.class);
    }

    @Test
    void anAnnotationThatOrmXmlTakesAwayIsNoProof() {
        isRefused(List.of("listener-taken-away.xml"), Annotated.class, Annotated.class);
    }

    /** EclipseLink makes such a listener and never calls it: its callbacks are annotations too. */
    @Test
    void aListenerWhoseCallbacksAreOverlookedIsRefused() {
        isRefused(List.of("listener-without-callbacks.xml"), Bare.class, Bare.class);
    }

    @Test
    void anEntityWhoseRowsAreHiddenFromQueriesIsRefused() {
        try (EclipseLinkDatabase database = new EclipseLinkDatabase(Veiled.class)) {
            assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                    .hasMessageContaining("Veiled.username")
                    .hasMessageContaining("restriction");
        }
    }
}
