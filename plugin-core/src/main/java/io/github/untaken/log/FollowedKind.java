package io.github.untaken.log;

import io.github.untaken.IdentifierKind;
import io.github.untaken.memory.Generations;
import io.github.untaken.memory.Served;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.store.Stores;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A kind whose tables the log covers, as the log sees it. */
public interface FollowedKind {
    IdentifierKind kind();

    IdentifierNormalizer normalizer();

    Stores stores();

    Generations generations();

    /** The scan that made the serving generation; to be read before the view; null before there is one. */
    @Nullable Served served();

    /** How long ago the last complete scan may have begun for memory to answer. */
    Duration mostAge();

    /** The database's log reports that someone has committed this value. */
    void committed(String value);

    /** The log is followed: a scan that begins now sees everything committed before. */
    void start();

    /**
     * As {@link #start()}, with a kept generation in place of the first scan. Called before the log reports anything
     * that is not in it.
     */
    void start(FollowedLog.Kept left, FollowedLog from);
}
