/**
 * What is known without asking the database: which names were stored or told, and whether memory is trusted. Not
 * exported.
 */
@NullMarked
package io.github.untaken.memory;

import org.jspecify.annotations.NullMarked;
