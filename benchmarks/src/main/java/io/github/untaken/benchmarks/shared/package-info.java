/** Untaken beside a Bloom filter in Redis that all nodes of an application share. */
package io.github.untaken.benchmarks.shared;
