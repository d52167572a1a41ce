package io.github.untaken.feed;

import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spi.StoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether every commit since some moment is told. One lock orders what the sink hears: a gap found by one thread must not come
 * after another thread's news that it has begun anew, or nobody would begin again.
 *
 * @param <C> what is known of the server and the tables, to be compared with what questions find
 */
public final class Continuity<C> {
    private final ChangeSink sink;
    private final Runnable wake;
    private @Nullable Followed<C> followed; // guarded by this, as all below
    private String reason = ""; // why it is not followed; empty if it is, or was not begun
    private boolean isOwed; // a gap that the sink has not heard of

    /** One unbroken stretch of the log, compared by identity. */
    public static final class Followed<C> {
        private final C catalog;

        private Followed(C catalog) {
            this.catalog = catalog;
        }

        /** The server that answered, and what decided then whether the log reports a row. */
        public C catalog() {
            return catalog;
        }
    }

    /** @param wake wakes those who wait for the log; they then check whether it is still followed */
    public Continuity(ChangeSink sink, Runnable wake) {
        this.sink = sink;
        this.wake = wake;
    }

    /** From now on every commit is told. */
    public synchronized void begin(C catalog) {
        if (followed != null || isOwed) {
            tell(new Gap(GapReason.OTHER, "the log was not followed for a while"));
        }
        followed = new Followed<>(catalog);
        reason = "";
        sink.following();
    }

    /** From now on every commit is told, as is every one since an earlier process stopped. */
    public synchronized void resume(C catalog) {
        if (isOwed) {
            tell(new Gap(GapReason.OTHER, "the log was not followed for a while"));
        }
        followed = new Followed<>(catalog);
        reason = "";
        sink.resumed();
    }

    /** Empty if the log is not followed now. */
    public synchronized Optional<Followed<C>> current() {
        return Optional.ofNullable(followed);
    }

    /** Whether it has not ended. */
    public synchronized boolean isCurrent(Followed<C> stretch) {
        return followed == stretch;
    }

    /** Ends that stretch, unless it has ended. */
    public synchronized void end(Followed<C> stretch, Gap gap) {
        if (followed == stretch) {
            end(gap);
        }
    }

    /** Ends whatever is followed. The same news is not told twice. */
    public synchronized void end(Gap gap) {
        boolean news = followed != null || !reason.equals(gap.why());
        followed = null;
        reason = gap.why();
        wake.run();
        if (news) {
            tell(gap);
        }
    }

    /** The sink must not throw; if it did, that gap would be forgotten. */
    private void tell(Gap gap) {
        isOwed = true;
        sink.gap(gap.reason(), gap.why());
        isOwed = false;
    }

    /**
     * What to throw at those who ask while the log is not followed, with the reason.
     *
     * @param log what that log is called
     */
    public synchronized StoreException notFollowed(String log) {
        return new StoreException(log + " is not followed" + (reason.isEmpty() ? " yet" : ": " + reason));
    }
}
