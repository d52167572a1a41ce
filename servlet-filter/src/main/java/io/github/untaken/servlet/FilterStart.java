package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckerLookup;
import io.github.untaken.http.SettingKeys;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * What a filter starts with. Its checker was given to it, is in the ServletContext, or is found by a {@link CheckerLookup}. Servers differ
 * in whether filters or beans start first, so a filter that has found none looks again at each request. Thread-safe.
 *
 * @param parameters the settings are read from these once there is a checker
 */
record FilterStart(
        ServletContext context,
        Map<String, String> parameters,
        @Nullable AvailabilityChecker given,
        List<CheckerLookup> lookups) {

    static FilterStart of(FilterConfig config, @Nullable AvailabilityChecker given) throws ServletException {
        List<CheckerLookup> lookups = given != null
                ? List.of()
                : ServiceLoader.load(CheckerLookup.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        return new FilterStart(config.getServletContext(), initParameters(config), given, lookups);
    }

    /** The filter's own, and the context's where the filter has none of that name. */
    private static Map<String, String> initParameters(FilterConfig config) throws ServletException {
        if (config.getInitParameter(SettingKeys.AUTO_INSTALL) != null) {
            throw new ServletException("the init parameter '" + SettingKeys.AUTO_INSTALL
                    + "' is not read from a filter; set" + " it as a parameter of the context");
        }
        Map<String, String> parameters = new HashMap<>();
        ServletContext context = config.getServletContext();
        for (String name : Collections.list(context.getInitParameterNames())) {
            parameters.put(name, context.getInitParameter(name));
        }
        for (String name : Collections.list(config.getInitParameterNames())) {
            parameters.put(name, config.getInitParameter(name));
        }
        return parameters;
    }

    Optional<AvailabilityChecker> checker() {
        if (given != null) {
            return Optional.of(given);
        }
        if (context.getAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE) instanceof AvailabilityChecker checker) {
            return Optional.of(checker);
        }
        return lookups.stream().flatMap(lookup -> lookup.checker().stream()).findFirst();
    }
}
