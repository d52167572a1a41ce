package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Ghost;
import io.github.untaken.jpa.entities.Handle;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Owner;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.SeatId;
import io.github.untaken.jpa.entities.Shape;
import io.github.untaken.jpa.entities.Team;
import io.github.untaken.jpa.entities.Varieties;
import io.github.untaken.jpa.entities.Varieties.Apple;
import io.github.untaken.jpa.entities.Varieties.Basket;
import io.github.untaken.jpa.entities.Varieties.Cat;
import io.github.untaken.jpa.entities.Varieties.Compared;
import io.github.untaken.jpa.entities.Varieties.Dog;
import io.github.untaken.jpa.entities.Varieties.Dynamic;
import io.github.untaken.jpa.entities.Varieties.Natural;
import io.github.untaken.jpa.entities.Varieties.Reserved;
import io.github.untaken.jpa.entities.Varieties.Tagged;
import io.github.untaken.jpa.entities.Varieties.TwoTables;
import io.github.untaken.jpa.entities.Varieties.Versioned;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.cfg.BatchSettings;
import org.hibernate.cfg.JdbcSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The SQL of an entity's own writes is never taken for a write that nobody announced. */
class EntityWritesAreSeenTest {
    private static final Map<String, Fixture> FIXTURES = new HashMap<>();
    private static final int MANY = 7;

    private record Fixture(TestDatabase database, RecordingSink sink) {}

    @AfterAll
    static void close() {
        FIXTURES.values().forEach(fixture -> fixture.database().close());
        FIXTURES.clear();
    }

    private static Fixture fixture(Engine engine, boolean batched) {
        return FIXTURES.computeIfAbsent(engine + " " + batched, key -> {
            List<Class<?>> entities = new ArrayList<>(List.of(Varieties.ALL));
            entities.addAll(List.of(
                    Account.class,
                    IdentityAccount.class,
                    Party.class,
                    Company.class,
                    NamedById.class,
                    Seat.class,
                    Owner.class,
                    Handle.class,
                    Team.class,
                    Team.Member.class,
                    Ghost.class,
                    Shape.class,
                    Shape.Circle.class,
                    Shape.Square.class));
            TestDatabase database = TestDatabase.on(
                    engine,
                    batched
                            ? Map.of(
                                    BatchSettings.STATEMENT_BATCH_SIZE, "3",
                                    BatchSettings.ORDER_INSERTS, "true",
                                    BatchSettings.ORDER_UPDATES, "true")
                            : Map.of(JdbcSettings.USE_SQL_COMMENTS, "true"),
                    entities.toArray(new Class<?>[0]));
            RecordingSink sink = new RecordingSink();
            Looks.at(JpaIdentifiers.of(database.factory())).connect(sink);
            return new Fixture(database, sink);
        });
    }

    /** The steps of one way of writing; each runs in a transaction of its own. */
    private record Way(String name, List<Consumer<TestDatabase>> steps) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SafeVarargs
    private static Way way(String name, Consumer<EntityManager>... steps) {
        return new Way(
                name,
                Arrays.stream(steps)
                        .<Consumer<TestDatabase>>map(step -> database -> database.inTransaction(step))
                        .toList());
    }

    private static void many(Consumer<Integer> step) {
        for (int i = 0; i < MANY; i++) {
            step.accept(i);
        }
    }

    private static <T> List<T> all(EntityManager entities, Class<T> type) {
        return entities.createQuery("from " + type.getName(), type).getResultList();
    }

    private static <T> void removeAll(EntityManager entities, Class<T> type) {
        all(entities, type).forEach(entities::remove);
    }

    private static List<Way> ways() {
        return List.of(
                way(
                        "sequence",
                        entities -> many(i -> entities.persist(new Account("n" + i, "+" + i))),
                        entities -> all(entities, Account.class).forEach(account -> account.username += "x"),
                        entities -> all(entities, Account.class).forEach(account -> account.city = "x"),
                        entities -> all(entities, Account.class).forEach(account -> account.username = null),
                        entities -> removeAll(entities, Account.class)),
                way(
                        "identity",
                        entities -> many(i -> entities.persist(new IdentityAccount("n" + i))),
                        entities -> all(entities, IdentityAccount.class).forEach(account -> account.username += "x"),
                        entities -> removeAll(entities, IdentityAccount.class)),
                way(
                        "joined",
                        entities -> many(i -> {
                            entities.persist(new Company("n" + i, "t" + i));
                            entities.persist(new Party());
                        }),
                        entities -> all(entities, Company.class).forEach(company -> {
                            company.username += "x";
                            company.taxNumber += "x";
                        }),
                        entities -> removeAll(entities, Party.class)),
                way(
                        "concrete subclasses",
                        entities -> many(i -> {
                            Shape.Circle circle = new Shape.Circle();
                            circle.name = "c" + i;
                            entities.persist(circle);
                        }),
                        entities -> all(entities, Shape.class).forEach(shape -> shape.name += "x"),
                        entities -> removeAll(entities, Shape.class)),
                way(
                        "one table for siblings",
                        entities -> many(i -> {
                            Dog dog = new Dog();
                            dog.username = "n" + i;
                            entities.persist(dog);
                            Cat cat = new Cat();
                            cat.mood = "bad";
                            entities.persist(cat);
                        }),
                        entities -> all(entities, Cat.class).forEach(cat -> cat.mood = "worse"),
                        entities -> all(entities, Dog.class).forEach(dog -> dog.username += "x"),
                        entities -> removeAll(entities, Varieties.Animal.class)),
                way(
                        "primary key",
                        entities -> many(i -> entities.persist(new NamedById("n" + i))),
                        entities -> all(entities, NamedById.class).forEach(named -> named.city = "x"),
                        entities -> removeAll(entities, NamedById.class)),
                way(
                        "part of the primary key",
                        entities -> many(i -> entities.persist(new Seat("red", "a" + i))),
                        entities -> entities.remove(entities.find(Seat.class, new SeatId("red", "a1"))),
                        entities -> removeAll(entities, Seat.class)),
                way(
                        "cascades and orphans",
                        entities -> many(i -> entities.persist(
                                new Owner().add("a" + i).add("b" + i).add("c" + i))),
                        entities -> all(entities, Owner.class).forEach(owner -> owner.handles.remove(0)),
                        entities -> removeAll(entities, Owner.class)),
                way(
                        "deletion by foreign key",
                        entities -> many(i -> {
                            Team team = new Team();
                            new Team.Member(team, "m" + i);
                            entities.persist(team);
                        }),
                        entities -> removeAll(entities, Team.class)),
                way(
                        "soft delete",
                        entities -> many(i -> entities.persist(new Ghost("n" + i))),
                        entities -> removeAll(entities, Ghost.class)),
                way(
                        "versions",
                        entities -> many(i -> {
                            Versioned versioned = new Versioned();
                            versioned.username = "n" + i;
                            entities.persist(versioned);
                        }),
                        entities -> all(entities, Versioned.class).forEach(each -> each.username += "x"),
                        entities -> all(entities, Versioned.class)
                                .forEach(each -> entities.lock(each, LockModeType.OPTIMISTIC_FORCE_INCREMENT)),
                        entities -> all(entities, Versioned.class)
                                .forEach(each -> entities.lock(each, LockModeType.PESSIMISTIC_FORCE_INCREMENT)),
                        entities -> removeAll(entities, Versioned.class)),
                way(
                        "natural id",
                        entities -> many(i -> {
                            Natural natural = new Natural();
                            natural.username = "n" + i;
                            entities.persist(natural);
                        }),
                        entities -> all(entities, Natural.class).forEach(each -> each.username += "x"),
                        entities -> removeAll(entities, Natural.class)),
                way(
                        "secondary table",
                        entities -> many(i -> {
                            TwoTables two = new TwoTables();
                            two.username = i % 2 == 0 ? "n" + i : null;
                            entities.persist(two);
                        }),
                        entities -> all(entities, TwoTables.class)
                                .forEach(two -> two.username = two.username == null ? "m" + two.id : null),
                        entities -> all(entities, TwoTables.class)
                                .forEach(
                                        two -> two.username = two.username == null ? "o" + two.id : two.username + "x"),
                        entities -> removeAll(entities, TwoTables.class)),
                way(
                        "dynamic",
                        entities -> many(i -> {
                            Dynamic dynamic = new Dynamic();
                            dynamic.username = "n" + i;
                            dynamic.city = i % 2 == 0 ? "x" : null;
                            entities.persist(dynamic);
                        }),
                        entities -> all(entities, Dynamic.class).forEach(each -> each.username += "x"),
                        entities -> all(entities, Dynamic.class).forEach(each -> each.city += "x"),
                        entities -> removeAll(entities, Dynamic.class)),
                way(
                        "optimistic locking by values",
                        entities -> many(i -> {
                            Compared compared = new Compared();
                            compared.username = "n" + i;
                            entities.persist(compared);
                        }),
                        entities -> all(entities, Compared.class).forEach(each -> each.username += "x"),
                        entities -> removeAll(entities, Compared.class)),
                way(
                        "foreign keys kept by the other side",
                        entities -> {
                            Basket basket = new Basket();
                            many(i -> basket.apples.add(Apple.named("n" + i)));
                            entities.persist(basket);
                        },
                        entities ->
                                all(entities, Basket.class).forEach(basket -> basket.apples.add(0, Apple.named("new"))),
                        entities -> all(entities, Basket.class).forEach(basket -> basket.apples.remove(1)),
                        entities -> removeAll(entities, Basket.class)),
                way(
                        "keywords as names",
                        entities -> many(i -> {
                            Reserved reserved = new Reserved();
                            reserved.username = "n" + i;
                            entities.persist(reserved);
                        }),
                        entities -> all(entities, Reserved.class).forEach(each -> each.city = "x"),
                        entities -> all(entities, Reserved.class).forEach(each -> each.username += "x"),
                        entities -> removeAll(entities, Reserved.class)),
                way(
                        "element collection",
                        entities -> many(i -> {
                            Tagged tagged = new Tagged();
                            tagged.username = "n" + i;
                            tagged.tags.addAll(List.of("a", "b"));
                            entities.persist(tagged);
                        }),
                        entities -> all(entities, Tagged.class).forEach(each -> each.tags.set(0, "c")),
                        entities -> removeAll(entities, Tagged.class)),
                new Way(
                        "stateless, by autocommit",
                        List.of(
                                database -> database.stateless(session -> session.insert(new IdentityAccount("s1"))),
                                database -> database.stateless(session -> session.upsert(new NamedById("s2"))),
                                database -> database.stateless(session -> session.upsert(new NamedById("s2"))),
                                database -> database.stateless(session -> session.delete(new NamedById("s2"))))),
                new Way(
                        "stateless, in a transaction",
                        List.of(
                                database -> database.statelessInTransaction(session -> {
                                    session.insertMultiple(List.of(Account.named("s3"), Account.named("s4")));
                                    session.upsert(new NamedById("s5"));
                                }),
                                database -> database.statelessInTransaction(
                                        session -> session.createSelectionQuery("from Account", Account.class)
                                                .getResultList()
                                                .forEach(account -> {
                                                    account.username += "x";
                                                    session.update(account);
                                                })),
                                database -> database.statelessInTransaction(
                                        session -> session.createSelectionQuery("from Account", Account.class)
                                                .getResultList()
                                                .forEach(session::delete)))));
    }

    static Stream<Arguments> waysOnEngines() {
        return Arrays.stream(Engine.values())
                .flatMap(engine -> Stream.of(true, false)
                        .flatMap(batched -> ways().stream().map(way -> Arguments.of(engine, batched, way))));
    }

    @ParameterizedTest(name = "{0}, batched {1}: {2}")
    @MethodSource("waysOnEngines")
    void noEntityWriteIsTakenForAnUnseenOne(Engine engine, boolean batched, Way way) {
        Fixture fixture = fixture(engine, batched);
        fixture.sink().take();
        way.steps().forEach(step -> step.accept(fixture.database()));
        List<String> told = fixture.sink().take();
        assertThat(told).as("control: the writes are heard").anyMatch(line -> line.contains(" adding "));
        assertThat(told).noneMatch(line -> line.contains(" unseen "));
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void whatTheApplicationsOwnSqlWritesIsTakenForAnUnseenOne(Engine engine) {
        Fixture fixture = fixture(engine, false);
        fixture.sink().take();
        fixture.database().inTransaction(entities -> {
            Varieties.Custom custom = new Varieties.Custom();
            custom.username = "ann";
            entities.persist(custom);
        });
        assertThat(fixture.sink().take()).anyMatch(line -> line.contains(" unseen "));
        fixture.database()
                .inTransaction(entities -> all(entities, Varieties.Custom.class).forEach(each -> each.username += "x"));
        assertThat(fixture.sink().take()).anyMatch(line -> line.contains(" unseen "));
        fixture.database().inTransaction(entities -> removeAll(entities, Varieties.Custom.class));
        assertThat(fixture.sink().take()).noneMatch(line -> line.contains(" unseen "));
    }
}
