package io.github.untaken.jpa;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Apart;
import io.github.untaken.jpa.entities.Citizen;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Computed;
import io.github.untaken.jpa.entities.Contact;
import io.github.untaken.jpa.entities.Customer;
import io.github.untaken.jpa.entities.Ghost;
import io.github.untaken.jpa.entities.Handle;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.Listed;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Owner;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Prepared;
import io.github.untaken.jpa.entities.Reader;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.SeatId;
import io.github.untaken.jpa.entities.Shape;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.jpa.entities.Team;
import io.github.untaken.jpa.entities.Unchecked;
import io.github.untaken.jpa.entities.Versioned;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Ticket;
import io.github.untaken.jpa.plain.Visitor;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Every way of writing an identifier through Hibernate. */
final class WritePaths {
    /** Hibernate 7.0 and 7.1, with nothing of ours, bind them wrongly in one session, in either order. */
    static final String UPSERTS_AFTER_UPDATES = "updateMultiple, upsertMultiple, deleteMultiple";

    static final Class<?>[] ENTITIES = {
        Account.class,
        Apart.class,
        Citizen.class,
        Company.class,
        Computed.class,
        Customer.class,
        Ghost.class,
        Guest.class,
        Handle.class,
        IdentityAccount.class,
        Listed.class,
        NamedById.class,
        Owner.class,
        Party.class,
        Prepared.class,
        Reader.class,
        Seat.class,
        Shape.class,
        Shape.Circle.class,
        Shape.Square.class,
        Subscriber.class,
        Team.class,
        Team.Member.class,
        Ticket.class,
        Unchecked.class,
        Versioned.class,
        Visitor.class
    };

    /** Where the identifiers are, for those who ask the database without Hibernate: kind, table, column. */
    static final List<List<String>> COLUMNS = List.of(
            List.of("username", "Account", "username"),
            List.of("phone", "Account", "phone"),
            List.of("username", "Apart_name", "username"),
            List.of("username", "Citizen", "username"),
            List.of("tax-number", "Company", "taxNumber"),
            List.of("username", "Computed", "username"),
            List.of("username", "\"Order Customer\"", "username"),
            List.of("username", "Ghost", "username"),
            List.of("handle", "Handle", "name"),
            List.of("username", "IdentityAccount", "username"),
            List.of("username", "Listed", "username"),
            List.of("username", "NamedById", "username"),
            List.of("username", "Party", "username"),
            List.of("username", "Prepared", "username"),
            List.of("email", "Reader", "email"),
            List.of("seat", "Seat", "seat"),
            List.of("shape", "Shape$Circle", "name"),
            List.of("shape", "Shape$Square", "name"),
            List.of("username", "Subscriber", "username"),
            List.of("alias", "Subscriber_alias", "alias"),
            List.of("email", "Subscriber_contact", "email"),
            List.of("handle", "Subscriber_handle", "handle"),
            List.of("passport", "Subscriber_passport", "passport"),
            List.of("phone", "Subscriber_phone", "phone"),
            List.of("member", "TeamMember", "name"),
            List.of("ticket", "Ticket", "ticket"),
            List.of("username", "Unchecked", "username"),
            List.of("username", "Versioned", "username"),
            List.of("username", "Visitor", "username"),
            List.of("email", "Visitor", "email"));

    private WritePaths() {}

    static List<WritePath> all() {
        List<WritePath> all = new ArrayList<>(ofEntities());
        all.addAll(ofCollections());
        return all;
    }

    private static List<WritePath> ofEntities() {
        return List.of(
                WritePath.of("persist, id from a sequence")
                        .entities(entities -> entities.persist(new Account("alice", "+49301")))
                        .adds("username alice", "phone +49301"),
                WritePath.of("persist, id from an identity column")
                        .entities(entities -> entities.persist(new IdentityAccount("alice")))
                        .adds("username alice"),
                WritePath.of("persist, without an identifier")
                        .entities(entities -> entities.persist(new Account(null, "+49301")))
                        .adds("phone +49301"),
                WritePath.of("persist, and renamed before the flush")
                        .entities(entities -> {
                            Account account = Account.named("alice");
                            entities.persist(account);
                            account.username = "bob";
                        })
                        .adds("username bob")
                        .leaves("username alice"), // inserted with the name it was persisted with, and updated
                WritePath.of("persist, and renamed after the flush")
                        .entities(entities -> {
                            Account account = Account.named("alice");
                            entities.persist(account);
                            entities.flush();
                            account.username = "bob";
                        })
                        .adds("username bob")
                        .leaves("username alice"),
                WritePath.of("persist, and removed after the flush")
                        .entities(entities -> {
                            Account account = Account.named("alice");
                            entities.persist(account);
                            entities.flush();
                            entities.remove(account);
                        })
                        .leaves("username alice"),
                WritePath.of("persist of many rows")
                        .entities(entities ->
                                IntStream.range(0, 12).forEach(i -> entities.persist(new Account("user" + i, "+" + i))))
                        .adds(IntStream.range(0, 12)
                                .boxed()
                                .flatMap(i -> List.of("username user" + i, "phone +" + i).stream())
                                .toArray(String[]::new)),
                WritePath.of("merge of a new entity")
                        .entities(entities -> entities.merge(Account.named("alice")))
                        .adds("username alice"),
                WritePath.of("merge of a detached entity")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> {
                            Account account = account(entities, "alice");
                            entities.detach(account);
                            account.username = "bob";
                            entities.merge(account);
                        })
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("dirty checking")
                        .before(entities -> entities.persist(new Account("alice", "+49301")))
                        .entities(entities -> account(entities, "alice").username = "bob")
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("dirty checking, id from an identity column")
                        .before(entities -> entities.persist(new IdentityAccount("alice")))
                        .entities(entities -> only(entities, IdentityAccount.class).username = "bob")
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("another attribute")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> account(entities, "alice").city = "Berlin"),
                WritePath.of("set to null")
                        .before(entities -> entities.persist(new Account("alice", "+49301")))
                        .entities(entities -> account(entities, "alice").phone = null)
                        .removes("phone +49301"),
                WritePath.of("set where it was null")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> account(entities, "alice").phone = "+49301")
                        .adds("phone +49301"),
                WritePath.of("rename in case only")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> account(entities, "alice").username = "Alice")
                        .adds("username Alice")
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("there and back again")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> {
                            Account account = account(entities, "alice");
                            account.username = "bob";
                            entities.flush();
                            account.username = "alice";
                        })
                        .leaves("username alice", "username bob"),
                WritePath.of("swap of two names")
                        .before(entities -> {
                            entities.persist(Account.named("alice"));
                            entities.persist(Account.named("bob"));
                        })
                        .entities(entities -> {
                            Account alice = account(entities, "alice");
                            Account bob = account(entities, "bob");
                            alice.username = "someone";
                            entities.flush();
                            bob.username = "alice";
                            entities.flush();
                            alice.username = "bob";
                        })
                        .leaves("username alice", "username bob", "username someone"),
                WritePath.of("remove")
                        .before(entities -> entities.persist(new Account("alice", "+49301")))
                        .entities(entities -> entities.remove(account(entities, "alice")))
                        .removes("username alice", "phone +49301"),
                WritePath.of("remove of a proxy")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> {
                            Long id = account(entities, "alice").id;
                            entities.clear();
                            entities.remove(entities.getReference(Account.class, id));
                        })
                        .removes("username alice"),
                WritePath.of("remove, and the name registered again")
                        .before(entities -> entities.persist(Account.named("alice")))
                        .entities(entities -> {
                            entities.remove(account(entities, "alice"));
                            entities.flush();
                            entities.persist(Account.named("alice"));
                        })
                        .leaves("username alice"),
                WritePath.of("cascaded persist")
                        .entities(entities ->
                                entities.persist(new Owner().add("ann").add("ben")))
                        .adds("handle ann", "handle ben"),
                WritePath.of("cascaded merge")
                        .before(entities -> entities.persist(new Owner().add("ann")))
                        .entities(entities -> {
                            Owner owner = only(entities, Owner.class);
                            owner.handles.get(0).name = "bea";
                            owner.add("cid");
                            entities.clear();
                            entities.merge(owner);
                        })
                        .adds("handle bea", "handle cid")
                        .removes("handle ann"),
                WritePath.of("orphan removal")
                        .before(entities ->
                                entities.persist(new Owner().add("ann").add("ben")))
                        .entities(
                                entities -> only(entities, Owner.class).handles.remove(0))
                        .removes("handle ann"),
                WritePath.of("cascaded remove")
                        .before(entities ->
                                entities.persist(new Owner().add("ann").add("ben")))
                        .entities(entities -> entities.remove(only(entities, Owner.class)))
                        .removes("handle ann", "handle ben"),
                WritePath.of("rows deleted through a foreign key")
                        .before(entities -> {
                            Team team = new Team();
                            entities.persist(team);
                            entities.persist(new Team.Member(team, "ann"));
                        })
                        .entities(entities -> entities.remove(only(entities, Team.class)))
                        .removes("member ann")
                        .leaves("member ann"),
                WritePath.of("mutable natural id")
                        .before(entities -> entities.persist(new Citizen("alice")))
                        .entities(entities ->
                                entities.bySimpleNaturalId(Citizen.class).load("alice").username = "bob")
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("embeddable in a new entity")
                        .entities(entities -> entities.persist(new Reader(new Contact("a@x"))))
                        .adds("email a@x"),
                WritePath.of("embeddable changed in place")
                        .before(entities -> entities.persist(new Reader(new Contact("a@x"))))
                        .entities(entities -> only(entities, Reader.class).contact.mailbox.email = "b@x")
                        .adds("email b@x")
                        .removes("email a@x"),
                WritePath.of("embeddable replaced")
                        .before(entities -> entities.persist(new Reader(new Contact("a@x"))))
                        .entities(entities -> only(entities, Reader.class).contact = new Contact("b@x"))
                        .adds("email b@x")
                        .removes("email a@x"),
                WritePath.of("embeddable set to null")
                        .before(entities -> entities.persist(new Reader(new Contact("a@x"))))
                        .entities(entities -> only(entities, Reader.class).contact = null)
                        .removes("email a@x"),
                WritePath.of("embeddable set where it was null")
                        .before(entities -> entities.persist(new Reader(null)))
                        .entities(entities -> only(entities, Reader.class).contact = new Contact("a@x"))
                        .adds("email a@x"),
                WritePath.of("embeddable of a removed entity")
                        .before(entities -> entities.persist(new Reader(new Contact("a@x"))))
                        .entities(entities -> entities.remove(only(entities, Reader.class)))
                        .removes("email a@x"),
                WritePath.of("mapped superclass, insert")
                        .entities(entities -> entities.persist(new Customer("alice")))
                        .adds("username alice"),
                WritePath.of("mapped superclass, rename")
                        .before(entities -> entities.persist(new Customer("alice")))
                        .entities(entities -> only(entities, Customer.class).setUsername("bob"))
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("mapped superclass, remove")
                        .before(entities -> entities.persist(new Customer("alice")))
                        .entities(entities -> entities.remove(only(entities, Customer.class)))
                        .removes("username alice"),
                WritePath.of("joined subclass, insert")
                        .entities(entities -> entities.persist(new Company("acme", "de1")))
                        .adds("username acme", "tax-number de1"),
                WritePath.of("joined subclass, rename in the parent's table")
                        .before(entities -> entities.persist(new Company("acme", "de1")))
                        .entities(entities -> only(entities, Company.class).username = "ajax")
                        .adds("username ajax")
                        .removes("username acme"),
                WritePath.of("joined subclass, rename in its own table")
                        .before(entities -> entities.persist(new Company("acme", "de1")))
                        .entities(entities -> only(entities, Company.class).taxNumber = "de2")
                        .adds("tax-number de2")
                        .removes("tax-number de1")
                        .leaves("tax-number de1"),
                WritePath.of("joined subclass, remove")
                        .before(entities -> entities.persist(new Company("acme", "de1")))
                        .entities(entities -> entities.remove(only(entities, Party.class)))
                        .removes("username acme", "tax-number de1"),
                WritePath.of("subclass in the table of its parent")
                        .entities(entities -> {
                            entities.persist(new Guest("gus"));
                            entities.persist(new Visitor("vic", "v@x"));
                        })
                        .adds("username gus", "username vic", "email v@x"),
                WritePath.of("subclasses with a table each")
                        .entities(entities -> {
                            entities.persist(named(new Shape.Circle(), "round"));
                            entities.persist(named(new Shape.Square(), "edgy"));
                        })
                        .adds("shape round", "shape edgy"),
                WritePath.of("subclass with a table of its own, renamed and removed")
                        .before(entities -> {
                            entities.persist(named(new Shape.Circle(), "round"));
                            entities.persist(named(new Shape.Square(), "edgy"));
                        })
                        .entities(entities -> {
                            only(entities, Shape.Circle.class).name = "oval";
                            entities.remove(only(entities, Shape.Square.class));
                        })
                        .adds("shape oval")
                        .removes("shape round", "shape edgy"),
                WritePath.of("secondary table, insert")
                        .entities(entities -> entities.persist(new Apart("alice")))
                        .adds("username alice"),
                WritePath.of("secondary table, rename")
                        .before(entities -> entities.persist(new Apart("alice")))
                        .entities(entities -> only(entities, Apart.class).username = "bob")
                        .adds("username bob")
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("secondary table, its row comes")
                        .before(entities -> entities.persist(new Apart(null)))
                        .entities(entities -> only(entities, Apart.class).username = "alice")
                        .adds("username alice"),
                WritePath.of("secondary table, its row goes")
                        .before(entities -> entities.persist(new Apart("alice")))
                        .entities(entities -> only(entities, Apart.class).username = null)
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("secondary table, remove")
                        .before(entities -> entities.persist(new Apart("alice")))
                        .entities(entities -> entities.remove(only(entities, Apart.class)))
                        .removes("username alice"),
                WritePath.of("primary key, insert and remove")
                        .before(entities -> entities.persist(new NamedById("alice")))
                        .entities(entities -> {
                            entities.remove(entities.find(NamedById.class, "alice"));
                            entities.persist(new NamedById("bob"));
                        })
                        .adds("username bob")
                        .removes("username alice"),
                WritePath.of("part of the primary key")
                        .before(entities -> entities.persist(new Seat("red", "a7")))
                        .entities(entities -> {
                            entities.remove(entities.find(Seat.class, new SeatId("red", "a7")));
                            entities.persist(new Seat("red", "a8"));
                        })
                        .adds("seat a8")
                        .removes("seat a7"),
                WritePath.of("part of an id class")
                        .before(entities -> entities.persist(new Ticket("red", "t1")))
                        .entities(entities -> {
                            entities.remove(only(entities, Ticket.class));
                            entities.persist(new Ticket("red", "t2"));
                        })
                        .adds("ticket t2")
                        .removes("ticket t1"),
                WritePath.of("made in a callback before the write")
                        .before(entities -> entities.persist(new Prepared("ALICE")))
                        .entities(entities -> {
                            only(entities, Prepared.class).display = "BOB";
                            entities.persist(new Prepared("CARL"));
                        })
                        .adds("username bob", "username carl")
                        .removes("username alice"),
                // H2 lowers it under the locale of this process: so no I, which Turkish lowers in its own way.
                WritePath.of("made by the database")
                        .unseen()
                        .before(entities -> entities.persist(new Computed("ANNE")))
                        .entities(entities -> {
                            only(entities, Computed.class).display = "BOB";
                            entities.persist(new Computed("CARL"));
                        })
                        .adds("username bob", "username carl")
                        .removes("username anne"),
                WritePath.of("versioned entity, rename and remove")
                        .before(entities -> {
                            entities.persist(new Versioned("alice"));
                            entities.persist(new Versioned("bob"));
                        })
                        .entities(entities -> entities.createQuery("from Versioned", Versioned.class)
                                .getResultList()
                                .forEach(versioned -> {
                                    if (versioned.username.equals("alice")) {
                                        versioned.username = "carl";
                                    } else {
                                        entities.remove(versioned);
                                    }
                                }))
                        .adds("username carl")
                        .removes("username alice", "username bob"),
                WritePath.of("own SQL whose rows nobody counts, remove")
                        .before(entities -> entities.persist(new Unchecked("alice")))
                        .entities(entities -> entities.remove(only(entities, Unchecked.class)))
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("soft delete")
                        .before(entities -> entities.persist(new Ghost("alice")))
                        .entities(entities -> entities.remove(only(entities, Ghost.class))),
                WritePath.of("hidden by a restriction")
                        .before(entities -> entities.persist(new Ghost("alice")))
                        .entities(entities -> only(entities, Ghost.class).banned = true),
                WritePath.of("stateless insert")
                        .stateless(session -> {
                            session.insert(new Account("alice", "+49301"));
                            session.insert(new IdentityAccount("bob"));
                        })
                        .adds("username alice", "phone +49301", "username bob"),
                WritePath.of("stateless update")
                        .before(entities -> entities.persist(new Listed(1, "alice")))
                        .stateless(session -> session.update(new Listed(1, "bob")))
                        .adds("username bob")
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("stateless delete")
                        .before(entities -> entities.persist(new Listed(1, "alice")))
                        .stateless(session -> session.delete(new Listed(1, "alice")))
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("upsert of a new row")
                        .stateless(session -> {
                            session.upsert(new Listed(1, "alice"));
                            session.upsert(new NamedById("bob"));
                        })
                        .adds("username alice", "username bob"),
                WritePath.of("upsert of a row that is there")
                        .before(entities -> {
                            entities.persist(new Listed(1, "alice"));
                            entities.persist(new NamedById("bob"));
                        })
                        .stateless(session -> {
                            session.upsert(new Listed(1, "carl"));
                            session.upsert(new NamedById("bob"));
                        })
                        .adds("username carl")
                        .removes("username alice")
                        .leaves("username alice", "username bob"),
                WritePath.of("insertMultiple")
                        .stateless(session -> session.insertMultiple(
                                List.of(new Account("ann", "+1"), new Account("ben", "+2"), new Account("cid", "+3"))))
                        .adds("username ann", "username ben", "username cid", "phone +1", "phone +2", "phone +3"),
                WritePath.of("updateMultiple, deleteMultiple")
                        .before(entities -> {
                            entities.persist(new Listed(1, "ann"));
                            entities.persist(new Listed(2, "ben"));
                            entities.persist(new Listed(3, "cid"));
                        })
                        .stateless(session -> {
                            session.updateMultiple(List.of(new Listed(1, "dan"), new Listed(2, "eve")));
                            session.deleteMultiple(List.of(new Listed(3, "cid")));
                        })
                        .adds("username dan", "username eve")
                        .removes("username ann", "username ben", "username cid")
                        .leaves("username ann", "username ben", "username cid"),
                WritePath.of("upsertMultiple")
                        .stateless(
                                session -> session.upsertMultiple(List.of(new Listed(4, "fay"), new Listed(5, "gil"))))
                        .adds("username fay", "username gil"),
                WritePath.of(UPSERTS_AFTER_UPDATES)
                        .before(entities -> {
                            entities.persist(new Listed(1, "ann"));
                            entities.persist(new Listed(2, "ben"));
                            entities.persist(new Listed(3, "cid"));
                        })
                        .stateless(session -> {
                            session.updateMultiple(List.of(new Listed(1, "dan"), new Listed(2, "eve")));
                            session.upsertMultiple(List.of(new Listed(4, "fay"), new Listed(5, "gil")));
                            session.deleteMultiple(List.of(new Listed(3, "cid")));
                        })
                        .adds("username dan", "username eve", "username fay", "username gil")
                        .removes("username ann", "username ben", "username cid")
                        .leaves("username ann", "username ben", "username cid"),
                WritePath.of("stateless insert without a transaction")
                        .autocommit(session -> {
                            session.insert(new Account("alice", "+49301"));
                            session.insert(new IdentityAccount("bob"));
                        })
                        .adds("username alice", "phone +49301", "username bob"),
                WritePath.of("stateless update without a transaction")
                        .before(entities -> entities.persist(new Listed(1, "alice")))
                        .autocommit(session -> session.update(new Listed(1, "bob")))
                        .adds("username bob")
                        .removes("username alice")
                        .leaves("username alice"),
                WritePath.of("stateless delete without a transaction, and a new insert")
                        .before(entities -> {
                            entities.persist(new Listed(1, "alice"));
                            entities.persist(new Listed(2, "bob"));
                        })
                        .autocommit(session -> {
                            session.delete(new Listed(1, "alice"));
                            session.delete(new Listed(2, "bob"));
                            session.insert(new Listed(1, "bob"));
                        })
                        .removes("username alice")
                        .leaves("username alice", "username bob"),
                WritePath.of("upsert without a transaction")
                        .before(entities -> entities.persist(new Listed(1, "alice")))
                        .autocommit(session -> {
                            session.upsert(new Listed(1, "bob"));
                            session.upsert(new Listed(2, "alice"));
                        })
                        .adds("username bob")
                        .leaves("username alice"),
                WritePath.of("insertMultiple without a transaction")
                        .autocommit(session ->
                                session.insertMultiple(List.of(new Account("ann", "+1"), new Account("ben", "+2"))))
                        .adds("username ann", "username ben", "phone +1", "phone +2"));
    }

    private static List<WritePath> ofCollections() {
        return List.of(
                WritePath.of("collections of a new entity")
                        .entities(entities -> entities.persist(full()))
                        .adds(
                                "username sam",
                                "phone +1",
                                "phone +2",
                                "alias a",
                                "alias b",
                                "alias c",
                                "email a@x",
                                "email b@x",
                                "handle ann",
                                "handle ben",
                                "passport p1"),
                WritePath.of("an element added to a set and one removed")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            subscriber(entities).phones.add("+3");
                            subscriber(entities).phones.remove("+1");
                        })
                        .adds("phone +3")
                        .removes("phone +1")
                        .leaves("phone +1"),
                WritePath.of("elements of a list moved up")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> subscriber(entities).aliases.remove(0))
                        .removes("alias a")
                        .leaves("alias a"),
                WritePath.of("an element of a list replaced and one appended")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            subscriber(entities).aliases.set(1, "d");
                            subscriber(entities).aliases.add("e");
                        })
                        .adds("alias d", "alias e")
                        .removes("alias b")
                        .leaves("alias b"),
                WritePath.of("an embeddable added to a bag")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> subscriber(entities).contacts.add(new Contact("c@x")))
                        .adds("email c@x"),
                WritePath.of("an embeddable of a bag changed in place")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> subscriber(entities).contacts.stream()
                                .filter(contact -> contact.mailbox.email.equals("a@x"))
                                .forEach(contact -> contact.mailbox.email = "c@x"))
                        .adds("email c@x")
                        .removes("email a@x")
                        .leaves("email a@x"),
                WritePath.of("an element of a map replaced, added, removed")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            subscriber(entities).handles.put("north", "cid");
                            subscriber(entities).handles.put("east", "dan");
                            subscriber(entities).handles.remove("south");
                        })
                        .adds("handle cid", "handle dan")
                        .removes("handle ann", "handle ben")
                        .leaves("handle ann", "handle ben"),
                WritePath.of("a collection within an embeddable")
                        .before(entities -> entities.persist(full()))
                        .entities(entities ->
                                subscriber(entities).papers.passports.add("p2"))
                        .adds("passport p2"),
                WritePath.of("collections cleared")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            Subscriber subscriber = subscriber(entities);
                            subscriber.phones.clear();
                            subscriber.aliases.clear();
                            subscriber.contacts.clear();
                            subscriber.handles.clear();
                        })
                        .removes(ELEMENTS)
                        .leaves(ELEMENTS),
                WritePath.of("collections replaced by others")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            Subscriber subscriber = subscriber(entities);
                            subscriber.phones = new HashSet<>(Set.of("+2", "+3"));
                            subscriber.contacts = new ArrayList<>(List.of(new Contact("c@x")));
                        })
                        .adds("phone +3", "email c@x")
                        .removes("phone +1", "email a@x", "email b@x")
                        .leaves("phone +1", "phone +2", "email a@x", "email b@x"),
                WritePath.of("collections set to null, never loaded")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            Subscriber subscriber = subscriber(entities);
                            subscriber.phones = null;
                            subscriber.aliases = null;
                            subscriber.contacts = null;
                            subscriber.handles = null;
                        })
                        .removes(ELEMENTS)
                        .leaves(ELEMENTS),
                WritePath.of("collections moved to another owner")
                        .before(entities -> {
                            entities.persist(full());
                            entities.persist(new Subscriber(2));
                        })
                        .entities(entities -> {
                            Subscriber from = subscriber(entities);
                            Subscriber to = entities.find(Subscriber.class, 2L);
                            to.phones = from.phones;
                            from.phones = null;
                        })
                        .leaves("phone +1", "phone +2"),
                WritePath.of("owner of loaded collections removed")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            Subscriber subscriber = subscriber(entities);
                            subscriber.phones.size();
                            entities.remove(subscriber);
                        })
                        .removes("username sam", "passport p1")
                        .removes(ELEMENTS)
                        .leaves("passport p1")
                        .leaves(ELEMENTS),
                WritePath.of("owner of collections removed by a reference")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> entities.remove(entities.getReference(Subscriber.class, 1L)))
                        .removes("username sam", "passport p1")
                        .removes(ELEMENTS)
                        .leaves("passport p1")
                        .leaves(ELEMENTS),
                WritePath.of("collections merged")
                        .before(entities -> entities.persist(full()))
                        .entities(entities -> {
                            Subscriber detached = full();
                            detached.phones.remove("+1");
                            detached.phones.add("+3");
                            entities.merge(detached);
                        })
                        .adds("phone +3")
                        .removes("phone +1")
                        .leaves("phone +1"),
                WritePath.of("a value given up by one owner and taken by another")
                        .before(entities -> {
                            entities.persist(full());
                            entities.persist(new Subscriber(2));
                        })
                        .entities(entities -> {
                            subscriber(entities).phones.remove("+1");
                            entities.flush();
                            entities.find(Subscriber.class, 2L).phones.add("+1");
                        })
                        .leaves("phone +1"),
                WritePath.of("stateless insert with collections")
                        .stateless(session -> session.insert(stateless()))
                        .adds("username sam")
                        .adds(ELEMENTS),
                WritePath.of("stateless update with collections")
                        .before(entities -> entities.persist(stateless()))
                        .stateless(session -> session.update(other()))
                        .adds("username tom", "phone +3", "alias d")
                        .removes("username sam", "phone +1")
                        .removes("alias a", "alias b", "alias c", "email a@x", "email b@x", "handle ann", "handle ben")
                        .leaves("username sam", "phone +1", "phone +2")
                        .leaves("alias a", "alias b", "alias c", "email a@x", "email b@x", "handle ann", "handle ben"),
                WritePath.of("upsert with collections")
                        .stateless(session -> session.upsert(stateless()))
                        .adds("username sam")
                        .adds(ELEMENTS),
                WritePath.of("stateless delete with collections")
                        .before(entities -> entities.persist(stateless()))
                        .stateless(session -> session.delete(stateless()))
                        .removes("username sam")
                        .removes(ELEMENTS)
                        .leaves("username sam")
                        .leaves(ELEMENTS),
                WritePath.of("stateless insert with collections, without a transaction")
                        .autocommit(session -> session.insert(stateless()))
                        .adds("username sam")
                        .adds(ELEMENTS),
                WritePath.of("stateless update with collections, without a transaction")
                        .before(entities -> entities.persist(stateless()))
                        .autocommit(session -> session.update(stateless()))
                        .leaves("username sam")
                        .leaves(ELEMENTS),
                WritePath.of("upsert with collections, without a transaction")
                        .before(entities -> entities.persist(stateless()))
                        .autocommit(session -> session.upsert(other()))
                        .adds("username tom", "phone +3", "alias d")
                        .removes("username sam", "phone +1")
                        .removes("alias a", "alias b", "alias c", "email a@x", "email b@x", "handle ann", "handle ben")
                        .leaves("username sam", "phone +1", "phone +2")
                        .leaves("alias a", "alias b", "alias c", "email a@x", "email b@x", "handle ann", "handle ben"));
    }

    private static final String[] ELEMENTS = {
        "phone +1", "phone +2", "alias a", "alias b", "alias c", "email a@x", "email b@x", "handle ann", "handle ben"
    };

    private static Subscriber full() {
        Subscriber subscriber = stateless();
        subscriber.papers.passports.add("p1");
        return subscriber;
    }

    /** A stateless session writes no collection within an embeddable. */
    private static Subscriber stateless() {
        Subscriber subscriber = new Subscriber(1);
        subscriber.username = "sam";
        subscriber.phones.addAll(List.of("+1", "+2"));
        subscriber.aliases.addAll(List.of("a", "b", "c"));
        subscriber.contacts.addAll(List.of(new Contact("a@x"), new Contact("b@x")));
        subscriber.handles.putAll(Map.of("north", "ann", "south", "ben"));
        return subscriber;
    }

    private static Subscriber other() {
        Subscriber subscriber = new Subscriber(1);
        subscriber.username = "tom";
        subscriber.phones.addAll(List.of("+2", "+3"));
        subscriber.aliases.add("d");
        return subscriber;
    }

    private static Subscriber subscriber(EntityManager entities) {
        return entities.find(Subscriber.class, 1L);
    }

    private static Shape named(Shape shape, String name) {
        shape.name = name;
        return shape;
    }

    private static Account account(EntityManager entities, String username) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", username)
                .getSingleResult();
    }

    /** The one entity of its type. */
    private static <T> T only(EntityManager entities, Class<T> type) {
        String name = entities.getMetamodel().entity(type).getName();
        return entities.createQuery("select e from " + name + " e", type).getSingleResult();
    }
}
