package io.github.untaken.feed;

import io.github.untaken.spi.GapReason;

/**
 * That the log need not tell of every row, or not any more.
 *
 * @param why a sentence for the operator; it names no value
 */
public record Gap(GapReason reason, String why) {}
