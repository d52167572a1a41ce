package io.github.untaken.feed;

import io.github.untaken.spi.GapReason;
import java.util.Optional;

/** The log cannot be followed, or not any further without missing something. */
public final class UnfollowableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Gap gap;

    public UnfollowableException(Gap gap) {
        super(gap.why());
        this.gap = gap;
    }

    public UnfollowableException(GapReason reason, String why) {
        this(new Gap(reason, why));
    }

    /** The gap to report to the sink. */
    public Gap gap() {
        return gap;
    }

    /** Returns if there is no objection. */
    public static void demand(Optional<Gap> objection) throws UnfollowableException {
        if (objection.isPresent()) {
            throw new UnfollowableException(objection.get());
        }
    }
}
