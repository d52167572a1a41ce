/**
 * What answers over HTTP: the two pages with their texts and scripts, the servlets they talk to, and what stands guard
 * before them. The check itself is answered by the library's own filter.
 */
@NullMarked
package io.github.untaken.sample.pages;

import org.jspecify.annotations.NullMarked;
