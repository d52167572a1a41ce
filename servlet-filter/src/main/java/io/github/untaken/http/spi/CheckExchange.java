package io.github.untaken.http.spi;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request to the endpoint and the way to its answer, as a front end has it. The endpoint calls the methods one after the other, some
 * of them on other threads than that of the request.
 */
public interface CheckExchange {

    /** What is asked. */
    CheckRequest request();

    /**
     * The body if no thread has to wait for it, as nearly always; empty if it has not arrived. A front end that cannot do without waiting
     * waits here.
     */
    Optional<CheckBody> bodyAtHand();

    /**
     * Has the rest of the body read, without a thread that waits.
     *
     * @param then is told once of what came of it, now or by another thread
     */
    Arrival awaitBody(Consumer<CheckBody> then);

    /** A body on its way. */
    interface Arrival {
        /** Waits no longer, unless it is there already: what came of it is {@link CheckBody#TOO_SLOW}. */
        void giveUp();

        /** Whether it is known what came of it. */
        boolean isOver();
    }

    /**
     * Whether a small body has to be read though nobody wants it, since otherwise the next request on this connection would fail. False
     * where the server sees to that.
     */
    default boolean readsUnwantedBody() {
        return false;
    }

    /** Whether the answer may come after the call of the front end has returned. */
    boolean canWait();

    /**
     * From now on the answer may come later. What asks for it again does nothing.
     *
     * @param atLast to be run where the answer does not come in time; answers
     */
    void waitForAnswer(Runnable atLast);

    /** Whether the thread that brought the request may wait for a store read; if not, the endpoint has threads that do. */
    default boolean mayBlock() {
        return true;
    }

    /**
     * Sends the answer. Called once, by whatever thread has it, which waits for no client unless the front end {@linkplain #canWait
     * cannot} do otherwise. Never throws.
     */
    void answer(EndpointResponse response);
}
