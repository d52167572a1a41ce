package io.github.untaken.jdbc.paths;

/**
 * What is certain of one name, written by its only writer. A check is judged if nothing changed from before it began until after
 * it ended: every change begins with a doubt, and the version tells two certainties apart that look alike.
 */
final class NameTruth {
    /** Of a name. */
    enum Known {
        /** No row has it, and nobody is about to write one. */
        FREE,
        /** A commit was acknowledged. */
        TAKEN,
        /** Something is under way. */
        DOUBTFUL
    }

    /**
     * At one moment.
     *
     * @param version of the change that made it so
     */
    record Certainty(Known known, int version) {}

    private final String name;
    private volatile Certainty now = new Certainty(Known.FREE, 0);

    NameTruth(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    Certainty now() {
        return now;
    }

    boolean is(Known known) {
        return now.known() == known;
    }

    /** By the name's only writer. */
    void become(Known known) {
        now = new Certainty(known, now.version() + 1);
    }
}
