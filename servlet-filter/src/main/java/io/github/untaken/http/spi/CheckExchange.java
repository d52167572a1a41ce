package io.github.untaken.http.spi;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request to the endpoint and the way to its answer, as a front end has it. The endpoint calls the methods one after the other, some of
 * them on other threads than the request's.
 */
public interface CheckExchange {

    /** What is asked. */
    CheckRequest request();

    /**
     * The body if no thread has to wait for it, as nearly always; empty if it has not arrived. A front end that cannot avoid waiting waits
     * here.
     */
    Optional<CheckBody> bodyAtHand();

    /**
     * Has the rest of the body read, without a waiting thread.
     *
     * @param then is told once what became of it, now or by another thread
     */
    Arrival awaitBody(Consumer<CheckBody> then);

    /** A body on its way. */
    interface Arrival {
        /** Stops waiting, unless the body is there already: the result is {@link CheckBody#TOO_SLOW}. */
        void giveUp();

        /** Whether its result is known. */
        boolean isOver();
    }

    /**
     * Whether a small unwanted body has to be read, since otherwise the next request on this connection would fail. False if the server
     * takes care of that.
     */
    default boolean readsUnwantedBody() {
        return false;
    }

    /** Whether the answer may come after the call of the front end has returned. */
    boolean canWait();

    /**
     * From now on the answer may come later. Calling it again does nothing.
     *
     * @param atLast run if the answer does not come in time; answers
     */
    void waitForAnswer(Runnable atLast);

    /** Whether the thread that brought the request may wait for a store read; if not, the endpoint has threads that do. */
    default boolean mayBlock() {
        return true;
    }

    /**
     * Sends the answer. Called once, by whatever thread has it. Does not wait for a client unless the front end
     * {@linkplain #canWait cannot} do otherwise. Never throws.
     */
    void answer(EndpointResponse response);
}
