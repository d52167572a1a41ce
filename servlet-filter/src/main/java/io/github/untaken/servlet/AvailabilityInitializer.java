package io.github.untaken.servlet;

import io.github.untaken.http.SettingKeys;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Installs an {@link AvailabilityServletFilter} at {@code /*}, before all other filters, in every web application that has this jar. The
 * container finds it; applications do not call it. Does nothing if the deployment descriptor declares the filter, or if the servlet
 * context's init parameter {@value SettingKeys#AUTO_INSTALL} is {@code false}.
 *
 * <p>The filter takes the checker from {@link AvailabilityServletFilter#CHECKER_ATTRIBUTE} or from a lookup, and its settings from the init
 * parameters of the servlet context. It is idle as long as there is no checker.
 */
public final class AvailabilityInitializer implements ServletContainerInitializer {
    static final String FILTER_NAME = "untaken";

    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    /** For the container. */
    public AvailabilityInitializer() {}

    /** @throws ServletException if the off switch is neither {@code true} nor {@code false} */
    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) throws ServletException {
        if (!autoInstall(context.getInitParameter(SettingKeys.AUTO_INSTALL))) {
            return;
        }
        for (FilterRegistration declared : context.getFilterRegistrations().values()) {
            if (AvailabilityServletFilter.class.getName().equals(declared.getClassName())) {
                LOG.log(Level.DEBUG, "The availability filter is already declared, so it is not installed again");
                return;
            }
        }
        FilterRegistration.Dynamic filter =
                context.addFilter(FILTER_NAME, AvailabilityServletFilter.installedAutomatically());
        if (filter == null) {
            throw new ServletException("the web application has another filter named '" + FILTER_NAME + "'; rename it,"
                    + " or set the context parameter " + SettingKeys.AUTO_INSTALL + " to false");
        }
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), false, "/*");
    }

    private static boolean autoInstall(@Nullable String text) throws ServletException {
        if (text == null || text.strip().equals("true")) {
            return true;
        }
        if (text.strip().equals("false")) {
            return false;
        }
        throw new ServletException(
                "the context parameter " + SettingKeys.AUTO_INSTALL + " must be true or false, but was '" + text + "'");
    }
}
