/** Contract tests and test doubles for authors of filters, stores and adapters. */
@NullMarked
package io.github.untaken.testkit;

import org.jspecify.annotations.NullMarked;
