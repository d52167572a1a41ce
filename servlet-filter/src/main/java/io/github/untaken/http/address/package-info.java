/** Who asks: IP addresses as text, networks, and the headers in which proxies say for whom they speak. Internal; never resolves a name. */
@NullMarked
package io.github.untaken.http.address;

import org.jspecify.annotations.NullMarked;
