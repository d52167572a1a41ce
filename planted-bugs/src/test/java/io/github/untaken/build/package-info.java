/** What the build promises of itself: its gates bite, and each module shows what it should. */
package io.github.untaken.build;
