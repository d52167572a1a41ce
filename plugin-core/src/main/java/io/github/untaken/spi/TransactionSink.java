package io.github.untaken.spi;

/** The registry as an {@link IdentifierSource} sees it. Thread-safe; nothing here does I/O or waits for it. */
public interface TransactionSink {

    /** Opens the record of one database transaction. */
    IdentifierTransaction begin();
}
