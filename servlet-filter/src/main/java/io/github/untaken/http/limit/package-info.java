/**
 * How much is too much: token buckets for clients and for store reads, the sweep alarm, and the time steps at which a blind kind is
 * answered. Internal; speaks of keys and times, never of requests.
 */
@NullMarked
package io.github.untaken.http.limit;

import org.jspecify.annotations.NullMarked;
