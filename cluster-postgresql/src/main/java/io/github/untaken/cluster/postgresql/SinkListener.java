package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeSink;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.replication.PGReplicationStream;

/** Tells the sink each value as it comes: a transaction is only sent once it is committed. For one thread. */
final class SinkListener implements LogListener {
    private final ChangeSink sink;
    private final Marks marks;
    private final PGReplicationStream stream;
    private final Slot slot;
    private final List<byte[]> reached = new ArrayList<>();

    SinkListener(ChangeSink sink, Marks marks, PGReplicationStream stream, Slot slot) {
        this.sink = sink;
        this.marks = marks;
        this.stream = stream;
        this.slot = slot;
    }

    @Override
    public void wrote(IdentifierKind kind, String value) {
        sink.registered(kind, value);
    }

    @Override
    public void message(String prefix, byte[] content) {
        if (prefix.equals(Marks.PREFIX)) {
            reached.add(content);
        }
    }

    /** Confirms this place. Otherwise the driver confirms nothing after it, and a server that shuts down waits for that. */
    @Override
    public void passed(long place) {
        committed(place);
    }

    @Override
    public void committed(long end) {
        slot.applied(stream, end);
        reached.forEach(marks::reached);
        reached.clear();
    }
}
