package io.github.untaken;

import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.CheckerFixture.soon;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Holds the monitors of the library, one after the other, and finds out who has to wait for them. */
final class HeldLocks {
    private static final String OURS = "io.github.untaken.";

    /** For who needs no lock; whether another waits is asked of the JVM. */
    private static final long MOSTLY_ENOUGH_MILLIS = 5;

    private HeldLocks() {}

    /** All objects of the library that can be reached, and those without a class of their own, which serve as locks. */
    static Set<Object> within(Object root) throws IllegalAccessException {
        Set<Object> locks = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(Set.of(root));
        while (!open.isEmpty()) {
            Object next = open.pop();
            if (next instanceof Object[] array) {
                Arrays.stream(array).filter(each -> each != null).forEach(open::push);
            } else if (next instanceof AtomicReference<?> reference && reference.get() != null) {
                open.push(reference.get());
            } else if (next instanceof Map<?, ?> map) {
                map.values().forEach(open::push);
            } else if (isOurs(next.getClass()) && locks.add(next)) {
                for (Class<?> type = next.getClass(); isOurs(type); type = type.getSuperclass()) {
                    Field[] fields = type.getDeclaredFields();
                    AccessibleObject.setAccessible(fields, true);
                    for (Field field : fields) {
                        Object value = Modifier.isStatic(field.getModifiers()) ? null : field.get(next);
                        if (value != null) {
                            open.push(value);
                        }
                    }
                }
            } else if (next instanceof Collection<?> several) {
                several.forEach(open::push);
            } else if (next.getClass() == Object.class) {
                locks.add(next);
            }
        }
        return locks;
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith(OURS);
    }

    /** The classes of those locks for which this work waits while they are held by somebody else. */
    static Set<Class<?>> neededBy(Set<Object> locks, Runnable work) throws InterruptedException {
        Set<Class<?>> needed = new HashSet<>();
        for (Object lock : locks) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                            done.complete(null);
                        } catch (RuntimeException | Error e) {
                            done.completeExceptionally(e);
                        }
                    },
                    "worker");
            thread.setDaemon(true);
            synchronized (lock) {
                thread.start();
                thread.join(MOSTLY_ENOUGH_MILLIS);
                eventually(() -> done.isDone() || waitsForMe(thread));
                if (!done.isDone()) {
                    needed.add(lock.getClass());
                }
            }
            soon(done);
        }
        return needed;
    }

    private static boolean waitsForMe(Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info != null && info.getLockOwnerId() == Thread.currentThread().getId();
    }
}
