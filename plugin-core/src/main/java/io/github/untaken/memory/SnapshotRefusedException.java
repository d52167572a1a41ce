package io.github.untaken.memory;

import java.io.IOException;

/** A file is not trusted, or does not fit. The message says why and contains no identifier. */
public final class SnapshotRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    SnapshotRefusedException(String reason) {
        super(reason);
    }
}
