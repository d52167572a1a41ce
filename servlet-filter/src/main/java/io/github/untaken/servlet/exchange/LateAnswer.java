package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.EndpointResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * An answer that comes after the filter has returned. It goes out as the client takes it, on threads of the container, none of which waits
 * for a client that does not read. Whoever gives the answer writes nothing and does not wait.
 */
final class LateAnswer implements WriteListener {
    private final EndpointResponse answer;
    private final HttpServletResponse response;
    private final ServletOutputStream out;
    private final boolean withBody;
    private final boolean measured;
    private final Runnable end;
    private int steps;

    /**
     * Does nothing yet.
     *
     * @param out the container's own, and that of the response
     * @param measured whether the length is sent. After the last byte of a known length Tomcat waits until it may send everything: for room
     *     in the socket's own buffer, but in HTTP/2 for the client's permission
     * @param end is told when everything has gone out, or cannot
     */
    LateAnswer(
            EndpointResponse answer,
            HttpServletResponse response,
            ServletOutputStream out,
            boolean withBody,
            boolean measured,
            Runnable end) {
        this.answer = answer;
        this.response = response;
        this.out = out;
        this.withBody = withBody;
        this.measured = measured;
        this.end = end;
    }

    /** Takes a step whenever there is room. If told of the end while it still has something to send, a container may wait for that. */
    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            switch (steps++) {
                case 0 -> send();
                case 1 -> out.flush();
                default -> {
                    end.run();
                    return;
                }
            }
        }
    }

    /** For when nobody tells of room. */
    void sendAtOnce() {
        try {
            send();
        } catch (IOException e) {
            // The client has gone.
        }
        end.run();
    }

    private void send() throws IOException {
        Sending.head(answer, response, measured || !withBody);
        if (withBody) {
            Sending.body(answer.body(), out);
        }
    }

    /** The client has gone. */
    @Override
    public void onError(Throwable failure) {
        end.run();
    }
}
