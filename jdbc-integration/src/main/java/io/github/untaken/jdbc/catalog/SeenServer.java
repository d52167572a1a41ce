package io.github.untaken.jdbc.catalog;

/**
 * The server that answered a look, and where it is in its history.
 *
 * @param identity differs for another server, another database, and after a failover
 * @param start when it was started; empty if it does not say
 * @param position in its log, which only rises; 0 if it does not say
 */
record SeenServer(String identity, String start, long position) {

    /**
     * Whether this is the same database, in no older state. A restart alone changes nothing; but if the log is shorter after it,
     * acknowledged data was lost.
     */
    boolean isFollowedBy(SeenServer later) {
        return identity.equals(later.identity) && (start.equals(later.start) || later.position >= position);
    }
}
