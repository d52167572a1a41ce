/**
 * Who asks: IP addresses as text, networks, and the headers in which proxies say whom they speak for. Internal; never
 * resolves a name.
 */
@NullMarked
package io.github.untaken.http.address;

import org.jspecify.annotations.NullMarked;
