package io.github.untaken.nodes;

import java.io.IOException;

/** The process of a database server, on files and a port of its own. Used by one thread. */
interface ServerProgram {
    /** Returns when it answers. */
    void start();

    /** In good order, as an operator would. Returns when its process has gone. Does nothing if it does not run. */
    void stop() throws IOException;

    /** As {@code kill -9}. Returns when the process has gone. */
    void kill() throws IOException;

    boolean isRunning();
}
