/**
 * Counts reads, exactly: those of the database file, and which of them were made for which check. Knows of no database and
 * no page; {@link io.github.untaken.sample.reads.FileReads} is told of each read by the file layer.
 */
@NullMarked
package io.github.untaken.sample.reads;

import org.jspecify.annotations.NullMarked;
