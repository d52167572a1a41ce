package io.github.untaken.benchmarks.http;

import java.util.function.LongSupplier;

/**
 * One endpoint, asked in one way.
 *
 * @param path of the endpoint
 * @param taken whether it is asked for names that are taken, or for free ones
 * @param reads how often it has read its database so far
 */
record Subject(String name, String path, boolean taken, LongSupplier reads) {}
