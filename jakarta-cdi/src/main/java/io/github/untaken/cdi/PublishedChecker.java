package io.github.untaken.cdi;

import io.github.untaken.AvailabilityChecker;
import jakarta.servlet.ServletContext;

/** Where the servlet filter finds the checker. Not to be loaded where servlets are absent. */
final class PublishedChecker {
    /** The same text as {@code AvailabilityServletFilter.CHECKER_ATTRIBUTE}, which need not be there. */
    static final String ATTRIBUTE = AvailabilityChecker.class.getName();

    private PublishedChecker() {}

    /** @param application what the container says has started: in a web application its ServletContext */
    static void in(Object application, AvailabilityChecker checker) {
        if (application instanceof ServletContext context) {
            context.setAttribute(ATTRIBUTE, checker);
        }
    }
}
