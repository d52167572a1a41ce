package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.GapReason;

/** The log cannot be followed, or not any further without missing something. */
final class UnfollowableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Gap gap;

    UnfollowableException(Gap gap) {
        super(gap.why());
        this.gap = gap;
    }

    UnfollowableException(GapReason reason, String why) {
        this(new Gap(reason, why));
    }

    Gap gap() {
        return gap;
    }
}
