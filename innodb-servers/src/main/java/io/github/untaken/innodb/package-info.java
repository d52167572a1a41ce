/** Real servers of MariaDB and MySQL for the tests of other modules. */
@NullMarked
package io.github.untaken.innodb;

import org.jspecify.annotations.NullMarked;
