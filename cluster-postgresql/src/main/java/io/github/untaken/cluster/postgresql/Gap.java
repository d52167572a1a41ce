package io.github.untaken.cluster.postgresql;

import io.github.untaken.spi.GapReason;

/**
 * That the log need not tell of every row, or not any more.
 *
 * @param why a sentence for the operator; it names no value
 */
record Gap(GapReason reason, String why) {}
