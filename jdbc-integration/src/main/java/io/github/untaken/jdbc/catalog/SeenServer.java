package io.github.untaken.jdbc.catalog;

/**
 * The server that has answered a look, and where it is in its history.
 *
 * @param identity another one for another server, another database, or after a failover
 * @param start when it was started; empty if it does not say
 * @param position in its log, which only rises; 0 if it does not say
 */
record SeenServer(String identity, String start, long position) {

    /**
     * Whether this is the same database, in no older state. A restart alone changes nothing; one after which the log is shorter than
     * before has lost what was acknowledged.
     */
    boolean isFollowedBy(SeenServer later) {
        return identity.equals(later.identity) && (start.equals(later.start) || later.position >= position);
    }
}
