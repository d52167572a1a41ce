package io.github.untaken.jpa;

import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks EclipseLink whom it calls about an entity. An annotation proves nothing there: {@code orm.xml} may remove it, name the listener in
 * its place, or make EclipseLink overlook the listener's own annotations; and the listener may be another copy of the class. EclipseLink
 * makes a listener at the first event, so it is told to make this one now. Uses reflection on what EclipseLink returns: a server need not
 * show its classes to an application.
 */
final class EclipseLinkListeners {
    private static final String WRAPPER = "org.eclipse.persistence.internal.jpa.metadata.listeners.EntityListener";

    private static final Set<String> CALLS = Set.of("prePersist", "postInsert", "preUpdateWithChanges", "postUpdate");

    private EclipseLinkListeners() {}

    /** Whether this is an EclipseLink factory. */
    static boolean areIn(EntityManagerFactory factory) {
        return factory.getClass().getName().startsWith("org.eclipse.persistence.");
    }

    /**
     * Whether EclipseLink has made an {@link AvailabilityEntityListener} for the entity, however it was named, and calls it before and
     * after each insert and update.
     *
     * @throws IllegalStateException if this EclipseLink cannot be asked
     */
    static boolean hear(EntityManagerFactory factory, Class<?> entity) {
        try {
            Object session = ask(factory, "getDatabaseSession");
            Object descriptor = session.getClass()
                    .getMethod("getClassDescriptor", Class.class)
                    .invoke(session, entity);
            for (Object listener : listeners(descriptor)) {
                if (isOurs(listener)) {
                    return true;
                }
            }
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "This version of EclipseLink does not show which listeners " + entity.getName()
                            + " has, so its writes might go unseen: use a version from 3 to 5",
                    e);
        }
    }

    /** A listener that implements EclipseLink's own interface is in the list as it is, any other in a wrapper. */
    private static boolean isOurs(Object listener) throws ReflectiveOperationException {
        return listener.getClass().getName().equals(WRAPPER)
                && ask(listener, "getListenerClass") == AvailabilityEntityListener.class
                && ask(listener, "getListener") instanceof AvailabilityEntityListener
                && ((Map<?, ?>) ask(listener, "getAllEventMethods")).keySet().containsAll(CALLS);
    }

    private static List<Object> listeners(Object described) throws ReflectiveOperationException {
        Object descriptor = described;
        Object events = ask(descriptor, "getEventManager");
        List<Object> listeners = new ArrayList<>();
        if (ask(events, "hasDefaultEventListeners").equals(true)) {
            listeners.addAll((Collection<?>) ask(events, "getDefaultEventListeners"));
        }
        listeners.addAll((Collection<?>) ask(events, "getEntityListenerEventListeners"));
        while (ask(events, "excludeSuperclassListeners").equals(false)
                && ask(descriptor, "isChildDescriptor").equals(true)) {
            descriptor = ask(ask(descriptor, "getInheritancePolicy"), "getParentDescriptor");
            events = ask(descriptor, "getEventManager");
            listeners.addAll((Collection<?>) ask(events, "getEntityListenerEventListeners"));
        }
        return listeners;
    }

    private static Object ask(Object target, String question) throws ReflectiveOperationException {
        return target.getClass().getMethod(question).invoke(target);
    }
}
