package io.github.untaken.spring.boot.checker;

import static io.github.untaken.spring.boot.checker.SettingNames.distance;
import static io.github.untaken.spring.boot.checker.SettingNames.letters;

import io.github.untaken.spring.boot.UntakenProperties;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Looks for unknown settings where Spring does not look: among the JVM's {@code -D} options, where they are refused as in a file, and in
 * the environment. There it only warns, and only about what is nearly a setting, since Kubernetes sets variables named after each service.
 */
final class UnboundSettings {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    private static final int NEAR = 2;

    private UnboundSettings() {}

    /** @throws UnboundConfigurationPropertiesException with those that are refused */
    static void check(Environment environment) {
        Set<ConfigurationProperty> unbound = unbound(environment);
        Predicate<ConfigurationProperty> isVariable = UnboundSettings::isVariable;
        unbound.stream().filter(isVariable).forEach(UnboundSettings::warn);
        Set<ConfigurationProperty> refused =
                unbound.stream().filter(isVariable.negate()).collect(Collectors.toSet());
        if (!refused.isEmpty()) {
            throw new UnboundConfigurationPropertiesException(refused);
        }
    }

    private static Set<ConfigurationProperty> unbound(Environment environment) {
        try {
            Binder.get(environment)
                    .bind(
                            SettingNames.PREFIX,
                            Bindable.of(UntakenProperties.class),
                            new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> true));
            return Set.of();
        } catch (BindException e) {
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                return unbound.getUnboundProperties();
            }
            throw e;
        }
    }

    private static boolean isVariable(ConfigurationProperty property) {
        @Nullable Object source =
                property.getSource() == null ? null : property.getSource().getUnderlyingSource();
        return source instanceof SystemEnvironmentPropertySource;
    }

    private static void warn(ConfigurationProperty property) {
        String nearest = SettingNames.nearest(property.getName());
        int distance = distance(letters(property.getName().toString()), letters(nearest));
        if (distance > 0 && distance <= NEAR) { // at none it is that setting, written with underscores for its dashes
            LOG.log(
                    Level.WARNING,
                    "A variable of the environment sets '" + property.getName()
                            + "', which is not a setting and has no effect. Did you mean '" + nearest + "'?");
        }
    }
}
