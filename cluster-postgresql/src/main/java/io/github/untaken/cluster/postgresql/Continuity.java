package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether every commit since some moment is told. One lock orders what the sink hears of that: a gap that one thread finds must not
 * follow the news that another has begun anew, for nobody would begin a second time.
 */
final class Continuity {
    private final ChangeSink sink;
    private final Marks marks;
    private @Nullable Followed followed; // guarded by this, as all below
    private String reason = "";
    private boolean isOwed; // a gap that the sink has not heard of

    /** One unbroken stretch of the log, compared by identity. */
    static final class Followed {
        private final Catalog catalog;

        private Followed(Catalog catalog) {
            this.catalog = catalog;
        }

        Catalog catalog() {
            return catalog;
        }
    }

    Continuity(ChangeSink sink, Marks marks) {
        this.sink = sink;
        this.marks = marks;
    }

    /** From now on every commit is told. */
    synchronized void begin(Catalog catalog) {
        if (followed != null || isOwed) {
            tell(new Gap(GapReason.OTHER, "the log was not followed for a while"));
        }
        followed = new Followed(catalog);
        reason = "";
        sink.following();
    }

    /** From now on every commit is told, and all since an earlier life. */
    synchronized void resume(Catalog catalog) {
        if (isOwed) {
            tell(new Gap(GapReason.OTHER, "the log was not followed for a while"));
        }
        followed = new Followed(catalog);
        reason = "";
        sink.resumed();
    }

    synchronized Optional<Followed> current() {
        return Optional.ofNullable(followed);
    }

    synchronized boolean isCurrent(Followed stretch) {
        return followed == stretch;
    }

    /** Ends that stretch, unless it has ended. */
    synchronized void end(Followed stretch, Gap gap) {
        if (followed == stretch) {
            end(gap);
        }
    }

    /** Ends whatever is followed. The same news is not told twice. */
    synchronized void end(Gap gap) {
        boolean news = followed != null || !reason.equals(gap.why());
        followed = null;
        reason = gap.why();
        marks.abandon();
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

    /** Why the log is not followed; empty if it is, or was not begun. */
    synchronized String reason() {
        return reason;
    }
}
