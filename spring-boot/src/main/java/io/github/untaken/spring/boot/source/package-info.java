/**
 * What the application writes by itself, told to the checker: marked entities, named tables, migrations. Internal; knows no properties
 * but {@code untaken.tables}.
 */
@NullMarked
package io.github.untaken.spring.boot.source;

import org.jspecify.annotations.NullMarked;
