/**
 * The accounts on the disk: the H2 database with its directory, its seeding and the file layer that tells of each read, and
 * the two ways to write to it, through JPA and behind the registry's back.
 */
@NullMarked
package io.github.untaken.sample.database;

import org.jspecify.annotations.NullMarked;
