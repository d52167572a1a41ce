package io.github.untaken.servlet.watch;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Announcement;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import io.github.untaken.fault.FaultLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestEffectsTest {
    private final List<String> watched = new ArrayList<>();
    private final List<String> open = new ArrayList<>();

    private final RequestEffects effects = new RequestEffects(
            new Registrations() {
                @Override
                public Announcement announce(IdentifierKind kind, String... texts) {
                    throw new AssertionError("a request only mentions");
                }

                @Override
                public Announcement watch(IdentifierKind kind, String text) {
                    watched.add(text);
                    open.add(text);
                    return () -> open.remove(text);
                }

                @Override
                public void bulk(IdentifierKind kind, Runnable work) {
                    throw new AssertionError("a request only mentions");
                }
            },
            new FaultLog("io.github.untaken.servlet"));

    @Test
    void aNameIsOpenUntilTheRequestIsOver() {
        effects.registering(USERNAME, "alice");
        effects.registering(USERNAME, "alice");
        effects.registering(USERNAME, "bob");
        assertThat(open).containsExactly("alice", "bob");
        effects.settle();
        assertThat(open).isEmpty();
    }

    /** By the last part of an asynchronous request, which may end after it was answered. */
    @Test
    void oneThatIsNamedAfterTheEndIsLookedUpAtOnceAndNotKeptOpen() {
        effects.registering(USERNAME, "alice");
        effects.settle();
        effects.registering(USERNAME, "late");
        assertThat(watched).containsExactly("alice", "late");
        assertThat(open).isEmpty();
        effects.registering(USERNAME, "alice");
        assertThat(watched).as("it may have been stored since").containsExactly("alice", "late", "alice");
        assertThat(open).isEmpty();
    }
}
