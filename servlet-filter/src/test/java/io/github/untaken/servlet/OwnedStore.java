package io.github.untaken.servlet;

import io.github.untaken.spi.RegisteredIdentifierStore;

/** A store that no other process can write, for it is in memory. */
interface OwnedStore extends RegisteredIdentifierStore.Exclusive {
    @Override
    default Standing standing() {
        return Standing.ALONE;
    }

    @Override
    default void mark() {}

    @Override
    default void release() {}
}
