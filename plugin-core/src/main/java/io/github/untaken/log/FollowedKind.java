package io.github.untaken.log;

import io.github.untaken.IdentifierKind;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Served;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Stores;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A kind whose tables the log covers, as far as the log is concerned with it. */
public interface FollowedKind {
    IdentifierKind kind();

    IdentifierNormalizer normalizer();

    Stores stores();

    Generations generations();

    /** Which scan the serving generation was made by; to be asked before the view is, and null before there is one. */
    @Nullable Served served();

    /** How long ago the last complete scan may have begun for memory to answer. */
    Duration mostAge();

    /** Told by the database's log: somebody has committed this value. */
    void committed(String value);

    /** The log is followed: what was committed before, a scan that begins now sees. */
    void start();

    /** With what was kept in place of the first scan, before the log tells of anything that is not in it. */
    void start(FollowedLog.Kept left, FollowedLog from);
}
