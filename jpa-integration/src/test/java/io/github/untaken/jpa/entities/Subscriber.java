package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MapKeyColumn;
import jakarta.persistence.OrderColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Identifiers in element collections of each sort. */
@Entity
public class Subscriber {
    @Id
    public Long id;

    public String city;

    @RegisteredIdentifier("username")
    public String username;

    @ElementCollection
    @CollectionTable(name = "Subscriber_phone")
    @Column(name = "phone", unique = true)
    @RegisteredIdentifier("phone")
    public Set<String> phones = new HashSet<>();

    @ElementCollection
    @OrderColumn(name = "place")
    @CollectionTable(name = "Subscriber_alias")
    @Column(name = "alias")
    @RegisteredIdentifier("alias")
    public List<String> aliases = new ArrayList<>();

    /** Without an order it is deleted and inserted again as a whole. */
    @ElementCollection
    @CollectionTable(name = "Subscriber_contact")
    public List<Contact> contacts = new ArrayList<>();

    @ElementCollection
    @MapKeyColumn(name = "site")
    @CollectionTable(name = "Subscriber_handle")
    @Column(name = "handle")
    @RegisteredIdentifier("handle")
    public Map<String, String> handles = new HashMap<>();

    @Embedded
    public Papers papers = new Papers();

    protected Subscriber() {}

    public Subscriber(long id) {
        this.id = id;
    }

    @Embeddable
    public static class Papers {
        public String country;

        @ElementCollection
        @CollectionTable(name = "Subscriber_passport")
        @Column(name = "passport")
        @RegisteredIdentifier("passport")
        public Set<String> passports = new HashSet<>();
    }
}
