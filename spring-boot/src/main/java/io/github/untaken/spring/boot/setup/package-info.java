/**
 * Whether anything is configured, and how a refusal at the start is said. Internal; knows no setting of ours but {@code untaken.enabled}.
 */
@NullMarked
package io.github.untaken.spring.boot.setup;

import org.jspecify.annotations.NullMarked;
