package io.github.untaken.memory;

import java.io.IOException;

/** A file is not believed, or does not fit; the message says why and names no identifier. */
public final class SnapshotRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    SnapshotRefusedException(String reason) {
        super(reason);
    }
}
