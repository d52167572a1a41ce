/** What the build promises of all modules together. */
@org.jspecify.annotations.NullMarked
package io.github.untaken.build;
