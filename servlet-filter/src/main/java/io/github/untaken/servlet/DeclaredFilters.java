package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.SettingKeys;
import jakarta.servlet.ServletContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.IdentityHashMap;

/**
 * The filters of one web application. Only one of those that share a checker works: otherwise each would count the same client, and a
 * second endpoint might be less guarded than the first. A declared filter goes before one installed automatically, and the first before the
 * next. Thread-safe.
 */
final class DeclaredFilters {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");
    private static final String ATTRIBUTE = DeclaredFilters.class.getName();

    private final IdentityHashMap<AvailabilityChecker, AvailabilityServletFilter> working =
            new IdentityHashMap<>(); // guarded by this
    private boolean warned; // guarded by this

    private DeclaredFilters() {}

    static DeclaredFilters of(ServletContext context) {
        synchronized (DeclaredFilters.class) {
            if (context.getAttribute(ATTRIBUTE) instanceof DeclaredFilters known) {
                return known;
            }
            DeclaredFilters none = new DeclaredFilters();
            context.setAttribute(ATTRIBUTE, none);
            return none;
        }
    }

    /** Whether this filter is the one that works; it may have to stand aside later. */
    synchronized boolean join(AvailabilityChecker checker, AvailabilityServletFilter filter) {
        AvailabilityServletFilter other = working.get(checker);
        if (other == null || other == filter) {
            working.put(checker, filter);
            return true;
        }
        if (!warned) {
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "The availability filter is declared more than once for one checker; only one of them works. Remove"
                            + " the others, or set the context parameter " + SettingKeys.AUTO_INSTALL
                            + " to false if one of them was installed automatically");
        }
        if (other.automatic() && !filter.automatic()) {
            other.standAside();
            working.put(checker, filter);
            return true;
        }
        return false;
    }

    synchronized void leave(AvailabilityServletFilter filter) {
        working.values().remove(filter);
    }
}
