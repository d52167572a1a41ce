package io.github.untaken.jpa.hibernate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.service.Service;
import org.hibernate.service.spi.InjectService;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * A Hibernate service behind a proxy of all its public interfaces. So it answers itself whatever a version of Hibernate asks of it, or
 * finds out about it.
 */
abstract class Proxied implements InvocationHandler {
    private final Object service;

    Proxied(Object service) {
        this.service = service;
    }

    /** Makes what Hibernate's own initiator makes, and puts something before it. */
    static <R extends Service> StandardServiceInitiator<R> initiator(
            StandardServiceInitiator<R> own, java.util.function.Function<Object, Proxied> before) {
        return new StandardServiceInitiator<>() {
            @Override
            @SuppressWarnings("unchecked") // the proxy has all its interfaces
            public @Nullable R initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
                R made = own.initiateService(settings, registry);
                return made == null ? null : (R) before.apply(made).proxy();
            }

            @Override
            public Class<R> getServiceInitiated() {
                return own.getServiceInitiated();
            }
        };
    }

    /** What stands before a service, if it is one of these. */
    static @Nullable Proxied before(@Nullable Object service) {
        return service != null
                        && Proxy.isProxyClass(service.getClass())
                        && Proxy.getInvocationHandler(service) instanceof Proxied proxied
                ? proxied
                : null;
    }

    private Object proxy() {
        try {
            return Proxy.newProxyInstance(
                    service.getClass().getClassLoader(), interfaces().toArray(Class<?>[]::new), this);
        } catch (IllegalArgumentException e) {
            return service; // their class loaders do not know each other; whoever looks for this proxy finds none
        }
    }

    private Set<Class<?>> interfaces() {
        Set<Class<?>> all = new LinkedHashSet<>(Set.of(ServiceRegistryAwareService.class)); // says when to inject
        for (Class<?> c = service.getClass(); c != null; c = c.getSuperclass()) {
            collect(c, all);
        }
        return all;
    }

    /** For an interface that cannot be called from here, takes those it extends. */
    private static void collect(Class<?> type, Set<Class<?>> all) {
        for (Class<?> each : type.getInterfaces()) {
            boolean open = Modifier.isPublic(each.getModifiers())
                    && each.getModule().isExported(each.getPackageName(), Proxied.class.getModule());
            if (open) {
                all.add(each);
            } else {
                collect(each, all);
            }
        }
    }

    /** Hibernate looks for these annotations on a class's methods, and a proxy's have none. */
    private void inject(ServiceRegistryImplementor registry) {
        for (Method method : service.getClass().getMethods()) {
            InjectService wanted = method.getAnnotation(InjectService.class);
            if (wanted != null && method.getParameterCount() == 1) {
                Class<?> named = wanted.serviceRole();
                boolean says =
                        named != Service.class && Service.class.isAssignableFrom(named); // in 6.6, Void means none
                Class<?> role = says ? named : method.getParameterTypes()[0];
                try {
                    Object injected = registry.getService(role.asSubclass(Service.class));
                    if (injected != null) {
                        method.invoke(service, injected);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(method + " could not be given its service", e);
                }
            }
        }
    }

    Object service() {
        return service;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals") && method.getDeclaringClass() == Object.class && arguments != null) {
            return proxy == arguments[0];
        }
        if (method.getName().equals("injectServices") && arguments != null) {
            inject((ServiceRegistryImplementor) arguments[0]);
            if (!(service instanceof ServiceRegistryAwareService)) {
                return null;
            }
        }
        return called(method, arguments);
    }

    /** Passes the call on by default. */
    @Nullable Object called(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(service, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
