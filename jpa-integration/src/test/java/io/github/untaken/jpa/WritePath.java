package io.github.untaken.jpa;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.hibernate.StatelessSession;

/**
 * One way of writing: what is there before, what is done, and what that adds and removes. An identifier is written as
 * its kind, a blank, and its value as stored.
 *
 * <p>Leftovers are names that were announced although no row has them in the end: each costs one read at most, until
 * the next scan.
 */
final class WritePath {
    private final String name;
    private final List<Consumer<EntityManager>> before = new ArrayList<>();
    private final List<String> adds = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> leftovers = new ArrayList<>();
    private Consumer<Session> managed;
    private Consumer<StatelessSession> stateless;
    private boolean autocommit;
    private boolean unseen;

    private WritePath(String name) {
        this.name = name;
    }

    static WritePath of(String name) {
        return new WritePath(name);
    }

    /** In a transaction of its own, committed before the checker starts. */
    WritePath before(Consumer<EntityManager> work) {
        before.add(work);
        return this;
    }

    WritePath entities(Consumer<Session> work) {
        managed = work;
        return this;
    }

    WritePath stateless(Consumer<StatelessSession> work) {
        stateless = work;
        return this;
    }

    /** Without a transaction: each statement is committed when it returns. */
    WritePath autocommit(Consumer<StatelessSession> work) {
        stateless = work;
        autocommit = true;
        return this;
    }

    /** Its text does not show what is written, so that the database answers until a scan after it. */
    WritePath unseen() {
        unseen = true;
        return this;
    }

    boolean isUnseen() {
        return unseen;
    }

    WritePath adds(String... identifiers) {
        adds.addAll(List.of(identifiers));
        return this;
    }

    WritePath removes(String... identifiers) {
        removes.addAll(List.of(identifiers));
        return this;
    }

    WritePath leaves(String... identifiers) {
        leftovers.addAll(List.of(identifiers));
        return this;
    }

    List<Consumer<EntityManager>> before() {
        return before;
    }

    Consumer<Session> managed() {
        return managed;
    }

    Consumer<StatelessSession> stateless() {
        return stateless;
    }

    boolean isAutocommit() {
        return autocommit;
    }

    List<String> adds() {
        return adds;
    }

    List<String> removes() {
        return removes;
    }

    List<String> leftovers() {
        return leftovers;
    }

    @Override
    public String toString() {
        return name;
    }
}
