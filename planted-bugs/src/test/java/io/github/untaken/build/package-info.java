/** What the build promises of itself: its gates bite, and each module shows what it should. */
@org.jspecify.annotations.NullMarked
package io.github.untaken.build;
