/**
 * One call of the availability endpoint over servlets: reads its body and sends its answer, without a waiting thread where the container
 * can. Internal; knows nothing of limits and settings.
 */
@NullMarked
package io.github.untaken.servlet.exchange;

import org.jspecify.annotations.NullMarked;
