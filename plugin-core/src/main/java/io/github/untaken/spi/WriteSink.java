package io.github.untaken.spi;

/** The registry as an {@link IdentifierSource} sees it. Thread-safe; nothing here does I/O or waits for it. */
public interface WriteSink {

    /** Opens the record of one statement, or of another piece of work. */
    IdentifierWrite begin();
}
