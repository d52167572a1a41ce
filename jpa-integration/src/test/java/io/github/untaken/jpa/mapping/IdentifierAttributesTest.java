package io.github.untaken.jpa.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.TestDatabase;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Customer;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Reader;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.jpa.plain.Ticket;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.Transient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.JdbcType;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.StringJavaType;
import org.hibernate.type.descriptor.jdbc.VarcharJdbcType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in a mapping, and what is refused by name when the factory is built. */
class IdentifierAttributesTest {

    @Test
    void findsAttributesWhereverTheyAreDeclared() {
        try (TestDatabase database = TestDatabase.of(
                Reader.class, Seat.class, Customer.class, Party.class, Company.class, Subscriber.class, Ticket.class)) {
            assertThat(IdentifierAttributes.of(database.factory().getMetamodel()))
                    .extracting(attribute -> attribute
                            + " " + attribute.mark().kind() + (attribute.inherited() ? " inherited" : "")
                            + (attribute.path().inCollection()
                                    ? " in " + attribute.path().ofCollection()
                                    : ""))
                    .containsExactlyInAnyOrder(
                            "Reader.contact.mailbox.email email",
                            "Seat.id.seat seat",
                            "Customer.username username",
                            "Party.username username",
                            "Company.username username inherited",
                            "Company.taxNumber tax-number",
                            "Subscriber.username username",
                            "Subscriber.phones phone in [phones]",
                            "Subscriber.aliases alias in [aliases]",
                            "Subscriber.contacts.mailbox.email email in [contacts]",
                            "Subscriber.handles handle in [handles]",
                            "Subscriber.papers.passports passport in [papers, passports]",
                            "Ticket.ticket ticket");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Converted.class,
                Numeric.class,
                NotPersistent.class,
                SeveralNumbers.class,
                SeveralConverted.class,
                SeveralKeys.class,
                SeveralFolders.class,
                TwoKinds.class,
                BadKind.class,
                Calculated.class,
                Shouted.class,
                Lowered.class,
                Large.class,
                Transformed.class
            })
    void refusesWhatCannotBeKeptTrackOf(Class<?> entity) {
        assertThatThrownBy(() -> identifiersOf(entity, Inner.class))
                .rootCause()
                .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
                .satisfies(e -> assertThat(e instanceof IllegalArgumentException ? "see cause" : e.getMessage())
                        .satisfiesAnyOf(
                                message -> assertThat(message).contains(entity.getSimpleName() + ".name"),
                                message -> assertThat(message).contains(entity.getName() + ".name"),
                                message -> assertThat(message).isEqualTo("see cause")));
    }

    private static void identifiersOf(Class<?>... entities) {
        try (TestDatabase database = TestDatabase.of(entities)) {
            JpaIdentifiers.of(database.factory());
        } catch (RuntimeException e) {
            throw new AssertionError("refused", e);
        }
    }

    /** The metamodel lists the attributes of the embeddable itself only. */
    @Test
    void refusesAMarkInASubclassOfAnEmbeddable() {
        assertThatThrownBy(() -> identifiersOf(Reachable.class, Contact.class, Address.class))
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Address.class.getName())
                .hasMessageContaining("keep the identifier in the entity itself");
    }

    @Test
    void namesTheAttributeOfABadKind() {
        assertThatThrownBy(() -> identifiersOf(BadKind.class))
                .cause()
                .hasMessageContaining("BadKind.name")
                .hasMessageContaining("User Name");
    }

    @Entity(name = "Converted")
    static class Converted {
        @Id
        Long id;

        @RegisteredIdentifier("username")
        @Convert(converter = Reversing.class)
        String name;
    }

    static class Reversing implements AttributeConverter<String, String> {
        @Override
        public String convertToDatabaseColumn(String attribute) {
            return attribute == null
                    ? null
                    : new StringBuilder(attribute).reverse().toString();
        }

        @Override
        public String convertToEntityAttribute(String column) {
            return convertToDatabaseColumn(column);
        }
    }

    @Entity(name = "Numeric")
    static class Numeric {
        @Id
        Long id;

        @RegisteredIdentifier("number")
        Long name;
    }

    @Entity(name = "NotPersistent")
    static class NotPersistent {
        @Id
        Long id;

        @Transient
        @RegisteredIdentifier("username")
        String name;
    }

    @Entity(name = "SeveralNumbers")
    static class SeveralNumbers {
        @Id
        Long id;

        @ElementCollection
        @RegisteredIdentifier("number")
        List<Long> name = new ArrayList<>();
    }

    @Entity(name = "SeveralConverted")
    static class SeveralConverted {
        @Id
        Long id;

        @ElementCollection
        @Convert(converter = Reversing.class)
        @RegisteredIdentifier("username")
        List<String> name = new ArrayList<>();
    }

    @Embeddable
    static class Inner {
        @RegisteredIdentifier("username")
        String username;
    }

    @Entity(name = "SeveralKeys")
    static class SeveralKeys {
        @Id
        Long id;

        @ElementCollection
        Map<Inner, Integer> name = new HashMap<>();
    }

    /** The elements are no texts, although what they hold is marked. */
    @Entity(name = "SeveralFolders")
    static class SeveralFolders {
        @Id
        Long id;

        @ElementCollection
        @RegisteredIdentifier("username")
        List<Inner> name = new ArrayList<>();
    }

    @Entity(name = "TwoKinds")
    static class TwoKinds {
        @Id
        Long id;

        @RegisteredIdentifier("username")
        String name;

        @RegisteredIdentifier("email")
        public String getName() {
            return name;
        }
    }

    @Entity(name = "BadKind")
    static class BadKind {
        @Id
        Long id;

        @RegisteredIdentifier("User Name")
        String name;
    }

    @Entity(name = "Calculated")
    static class Calculated {
        @Id
        Long id;

        @Formula("lower('X')")
        @RegisteredIdentifier("username")
        String name;
    }

    @Entity(name = "Transformed")
    static class Transformed {
        @Id
        Long id;

        @ColumnTransformer(write = "lower(?)")
        @RegisteredIdentifier("username")
        String name;
    }

    @Entity(name = "Large")
    static class Large {
        @Id
        Long id;

        @Lob
        @RegisteredIdentifier("username")
        String name;
    }

    @Entity(name = "Shouted")
    static class Shouted {
        @Id
        Long id;

        @JavaType(Shouting.class)
        @RegisteredIdentifier("username")
        String name;
    }

    /** Changes a text on its way to the column. */
    public static final class Shouting extends StringJavaType {
        private static final long serialVersionUID = 1L;

        @Override
        public <X> X unwrap(String value, Class<X> type, WrapperOptions options) {
            return super.unwrap(value == null ? null : value + '!', type, options);
        }
    }

    @Entity(name = "Lowered")
    static class Lowered {
        @Id
        Long id;

        @JdbcType(Lowering.class)
        @RegisteredIdentifier("username")
        String name;
    }

    /** Nobody here knows what it makes of a text. */
    public static final class Lowering extends VarcharJdbcType {
        private static final long serialVersionUID = 1L;
    }

    @Entity(name = "Reachable")
    static class Reachable {
        @Id
        Long id;

        @RegisteredIdentifier("username")
        String name;

        Contact contact;
    }

    @Embeddable
    @DiscriminatorColumn(name = "sort")
    static class Contact {
        String note;
    }

    @Embeddable
    static class Address extends Contact {
        @RegisteredIdentifier("username")
        String nickname;
    }
}
