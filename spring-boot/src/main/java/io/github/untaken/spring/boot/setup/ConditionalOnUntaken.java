package io.github.untaken.spring.boot.setup;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Conditional;

/** Matches on a Spring Boot that is supported, unless {@code untaken.enabled} is false. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(OnSupportedBoot.class)
@ConditionalOnProperty(name = "untaken.enabled", havingValue = "true", matchIfMissing = true)
public @interface ConditionalOnUntaken {}
