package io.github.untaken;

import io.github.untaken.memory.Telling;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Recheck;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Texts that a request mentions and may register, or not. They are asked for at the end of the request; only what is there, or what the
 * store does not answer for, is told. Nobody can thereby fill the filter with names that he only mentions.
 */
final class WatchedTexts {
    /** In characters: as many as a form has in a servlet container that was told nothing else. What is longer is not read. */
    private static final int LONGEST = 1 << 21;

    private static final Announcement NOTHING = () -> {};

    private final Mentions mentions;
    private final Tellings tellings;
    private final Recheck recheck;
    private final IdentifierNormalizer normalizer;

    WatchedTexts(Mentions mentions, Tellings tellings, Recheck recheck, IdentifierNormalizer normalizer) {
        this.mentions = mentions;
        this.tellings = tellings;
        this.recheck = recheck;
        this.normalizer = normalizer;
    }

    Announcement watch(String text) {
        if (text.length() > LONGEST) {
            return told(tellings::unseen);
        }
        String key;
        try {
            key = normalizer.key(text);
        } catch (RuntimeException | Error e) {
            tellings.committed(text); // finds the same, and says so
            return NOTHING;
        }
        if (mentions.enter(key)) {
            return once(() -> decide(text, key));
        }
        return told(telling -> tellings.tell(telling, text));
    }

    private Announcement told(Consumer<Telling> teller) {
        Telling telling = tellings.begin();
        teller.accept(telling);
        return once(() -> {
            tellings.over(telling);
            tellings.linger(telling);
        });
    }

    private static Announcement once(Runnable end) {
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                end.run();
            }
        };
    }

    /** Told before it leaves the mentioned: a check that finds it there no more finds it in memory. */
    private void decide(String text, String key) {
        CompletableFuture<Boolean> asWritten = recheck.read(text);
        CompletableFuture<Boolean> asKey = text.equals(key) ? asWritten : recheck.read(key);
        CompletableFuture<Boolean> unused = asWritten
                .thenCombine(asKey, (one, other) -> one || other)
                .whenComplete((found, failure) -> {
                    if (failure != null || found) {
                        tellings.committed(text);
                    }
                    mentions.leave(key);
                });
    }
}
