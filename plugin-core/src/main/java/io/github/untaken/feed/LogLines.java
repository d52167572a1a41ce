package io.github.untaken.feed;

/**
 * What the operator is told about where the reading of a database's log begins.
 *
 * @param log what that log is called, within a sentence
 */
public record LogLines(System.Logger logger, String log) {
    /** The server has kept what came while the connection was lost. */
    public void readOn() {
        logger.log(
                System.Logger.Level.INFO,
                "Reading {0} again from where the connection was lost; nothing was missed",
                log);
    }

    public void resumed() {
        logger.log(System.Logger.Level.INFO, "Reading {0} from where an earlier process stopped", log);
    }

    public void notResumed(String reason) {
        logger.log(
                System.Logger.Level.INFO,
                "Cannot read {0} from where an earlier process stopped, so the tables are scanned: {1}",
                log,
                reason);
    }
}
