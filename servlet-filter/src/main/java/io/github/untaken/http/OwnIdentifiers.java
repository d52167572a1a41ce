package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckRequest;
import java.util.Optional;

/**
 * Knows which identifier the person behind a request holds, so that their own name, even in other letters, is available to them. Asked only
 * about identifiers that are taken.
 *
 * <p>Its answer is believed: take it from the account as it is now, never from something the client sends, or from a session that may be
 * older than the last change of the name. Implementations are thread-safe and do not read the request's body or parameters. For a POST they
 * are asked on another thread than the filters in front ran on. If one throws, the identifier stays taken.
 */
@FunctionalInterface
public interface OwnIdentifiers {

    /** The identifier of this kind that the person holds; empty if none, or if nobody is logged in. */
    Optional<String> of(CheckRequest request, IdentifierKind kind);
}
