/** Applies planted bugs to copies of single classes and runs the tests that must notice them. */
@org.jspecify.annotations.NullMarked
package io.github.untaken.planted;
