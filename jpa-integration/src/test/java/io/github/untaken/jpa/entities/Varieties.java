package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.DynamicInsert;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.OptimisticLockType;
import org.hibernate.annotations.OptimisticLocking;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.annotations.SQLUpdate;

/** Entities whose SQL differs from the plainest in one way each. */
public final class Varieties {
    private Varieties() {}

    public static final Class<?>[] ALL = {
        Versioned.class,
        Natural.class,
        TwoTables.class,
        Dynamic.class,
        Compared.class,
        Animal.class,
        Dog.class,
        Cat.class,
        Basket.class,
        Apple.class,
        Custom.class,
        Reserved.class,
        Tagged.class
    };

    @Entity
    public static class Versioned {
        @Id
        @GeneratedValue
        public Long id;

        @Version
        public int version;

        @RegisteredIdentifier("username")
        @Column(unique = true)
        public String username;

        public String city;
    }

    @Entity
    public static class Natural {
        @Id
        @GeneratedValue
        public Long id;

        @NaturalId(mutable = true)
        @RegisteredIdentifier("username")
        public String username;
    }

    /** The identifier is in the second, whose row comes and goes with it. */
    @Entity
    @SecondaryTable(name = "TwoTablesMore")
    public static class TwoTables {
        @Id
        @GeneratedValue
        public Long id;

        public String city;

        @RegisteredIdentifier("username")
        @Column(table = "TwoTablesMore")
        public String username;
    }

    @Entity
    @DynamicInsert
    @DynamicUpdate
    public static class Dynamic {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        public String username;

        public String city;
    }

    @Entity
    @DynamicUpdate
    @OptimisticLocking(type = OptimisticLockType.ALL)
    public static class Compared {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        public String username;

        public String city;
    }

    /** In one table with all that extend it, of which only one has an identifier. */
    @Entity
    @Inheritance
    public static class Animal {
        @Id
        @GeneratedValue
        public Long id;

        public String sound;
    }

    @Entity
    public static class Dog extends Animal {
        @RegisteredIdentifier("username")
        public String username;
    }

    @Entity
    public static class Cat extends Animal {
        public String mood;
    }

    /** Keeps the foreign keys and the order of its apples by statements of its own. */
    @Entity
    public static class Basket {
        @Id
        @GeneratedValue
        public Long id;

        @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true, fetch = FetchType.EAGER)
        @JoinColumn(name = "basket")
        @OrderColumn(name = "place")
        public List<Apple> apples = new ArrayList<>();
    }

    @Entity
    public static class Apple {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        public String username;

        public static Apple named(String username) {
            Apple apple = new Apple();
            apple.username = username;
            return apple;
        }
    }

    @Entity
    @Table(name = "Custom")
    @SQLInsert(sql = "/* ours */ INSERT INTO Custom (username, id) VALUES (lower(?), ?)")
    @SQLUpdate(sql = "update Custom set username = lower(?) where id = ?")
    public static class Custom {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    /** Names that need quotes, and are keywords. */
    @Entity
    @Table(name = "`insert`")
    public static class Reserved {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        @Column(name = "`select`")
        public String username;

        @Column(name = "`update`")
        public String city;
    }

    @Entity
    public static class Tagged {
        @Id
        @GeneratedValue
        public Long id;

        @RegisteredIdentifier("username")
        public String username;

        @ElementCollection(fetch = FetchType.EAGER)
        public List<String> tags = new ArrayList<>();
    }
}
