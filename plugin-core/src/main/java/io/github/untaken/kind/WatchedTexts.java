package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Mentions;
import io.github.untaken.memory.Mentions.Mention;
import io.github.untaken.memory.Telling;
import io.github.untaken.memory.Tellings;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.store.Recheck;
import io.github.untaken.text.Fold;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Texts that a request mentions and may register, or not. They are looked up at the end of the request. Only those that
 * are stored, or for which the store gives no answer, are told. So mere mentions cannot fill the filter; nor can they
 * fill the queue for the store, since only a few are asked for at a time.
 */
final class WatchedTexts {
    /** In characters: the default limit for a form in a servlet container. Longer texts are not read. */
    private static final int LONGEST = 1 << 21;

    private static final int MOST_UNDER_WAY = 2;

    private record Mentioned(String text, String key, Mention mention) {}

    private final Mentions mentions;
    private final Generations generations;
    private final Tellings tellings;
    private final Recheck recheck;
    private final IdentifierNormalizer normalizer;
    private final Queue<Mentioned> ended = new ArrayDeque<>(); // guarded by this; at most as many as may be mentioned
    private int underWay; // guarded by this; how many are being asked for

    WatchedTexts(
            Mentions mentions,
            Generations generations,
            Tellings tellings,
            Recheck recheck,
            IdentifierNormalizer normalizer) {
        this.mentions = mentions;
        this.generations = generations;
        this.tellings = tellings;
        this.recheck = recheck;
        this.normalizer = normalizer;
    }

    Announcement watch(String text) {
        if (text.length() > LONGEST) {
            return told(tellings::unseen);
        }
        try {
            String key = normalizer.key(text);
            Mention mention = mentions.enter(text, foldOfWhatServes());
            if (mention != null) {
                return once(() -> end(new Mentioned(text, key, mention)));
            }
        } catch (RuntimeException | Error e) {
            return told(telling -> tellings.untold(telling, e));
        }
        return told(telling -> tellings.tell(telling, text));
    }

    private @Nullable Fold foldOfWhatServes() {
        Generation serving = generations.view().serving();
        return serving == null ? null : serving.fold();
    }

    /** No one reports whether the server is done with what such a request has sent. */
    private Announcement told(Consumer<Telling> teller) {
        Telling telling = new Telling();
        teller.accept(telling);
        return once(() -> tellings.linger(telling));
    }

    private static Announcement once(Runnable end) {
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                end.run();
            }
        };
    }

    private void end(Mentioned mentioned) {
        synchronized (this) {
            ended.add(mentioned);
            if (underWay == MOST_UNDER_WAY) {
                return; // taken up when one of the others ends
            }
            underWay++;
        }
        goOn();
    }

    private synchronized @Nullable Mentioned next() {
        Mentioned next = ended.poll();
        if (next == null) {
            underWay--;
        }
        return next;
    }

    /**
     * A loop, because a read that is refused at once must not start the next one recursively: there may be thousands.
     */
    private void goOn() {
        for (Mentioned one = next(); one != null; one = next()) {
            Mentioned asked = one;
            CompletableFuture<Presence> read = read(asked);
            if (!read.isDone()) {
                CompletableFuture<Presence> unused = read.whenComplete((found, failure) -> {
                    decide(asked, read);
                    goOn();
                });
                return;
            }
            decide(asked, read);
        }
    }

    private CompletableFuture<Presence> read(Mentioned one) {
        try {
            return recheck.read(one.text())
                    .thenCompose(found -> found.held() || one.text().equals(one.key())
                            ? CompletableFuture.completedFuture(found)
                            : recheck.read(one.key()));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Told before it leaves the mentioned: a check that no longer finds it there finds it in memory. */
    private void decide(Mentioned one, CompletableFuture<Presence> read) {
        try {
            if (read.isCompletedExceptionally()) { // what was sent may not be stored yet
                Telling telling = new Telling();
                tellings.tell(telling, one.text());
                tellings.linger(telling);
            } else if (read.join().held()) { // a row that does not count yet may do so soon
                tellings.committed(one.text());
            }
        } catch (RuntimeException | Error e) {
            // Memory is no longer trusted. The others are still waiting.
        } finally {
            mentions.leave(one.mention());
        }
    }
}
