package io.github.untaken.feed;

import io.github.untaken.spi.GapReason;

/**
 * The log may not report every row, or no longer does.
 *
 * @param why a sentence for the operator; it names no value
 */
public record Gap(GapReason reason, String why) {}
