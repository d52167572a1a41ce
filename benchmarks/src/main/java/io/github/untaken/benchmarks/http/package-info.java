/** What an availability check costs over HTTP: a real server, real sockets, and the load from a process of its own. */
@NullMarked
package io.github.untaken.benchmarks.http;

import org.jspecify.annotations.NullMarked;
