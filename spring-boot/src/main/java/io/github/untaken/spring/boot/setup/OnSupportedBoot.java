package io.github.untaken.spring.boot.setup;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Configures nothing on a line of Spring Boot that was never tried, and says so in one sentence. Names no class that another line
 * lacks.
 */
public final class OnSupportedBoot implements Condition {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    private static final AtomicBoolean SAID = new AtomicBoolean();

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String version = SpringBootVersion.getVersion();
        if (supports(version)) {
            return true;
        }
        if (SAID.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "untaken-spring-boot needs Spring Boot 3.4, 3.5 or 4, and this is " + version
                            + ": nothing was configured; build the AvailabilityChecker and register the filter as beans of"
                            + " your own, or remove the dependency");
        }
        return false;
    }

    static boolean supports(@Nullable String version) {
        return version != null
                && (version.startsWith("4.") || version.startsWith("3.5.") || version.startsWith("3.4."));
    }
}
