package io.github.untaken.spi;

/** The database could not be asked. The message never contains an identifier. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure of the store itself.
     *
     * @param message what the store could not do; without any identifier
     */
    public StoreException(String message) {
        super(message);
    }

    /**
     * As {@link #StoreException(String)}, with what the driver or the pool said.
     *
     * @param message what the store could not do; without any identifier
     */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
