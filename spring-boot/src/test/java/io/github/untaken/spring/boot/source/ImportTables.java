package io.github.untaken.spring.boot.source;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/** Follows the tables that properties name, in applications of tests of other packages. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration(UntakenTablesAutoConfiguration.class)
public @interface ImportTables {}
