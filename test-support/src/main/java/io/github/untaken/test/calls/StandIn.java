package io.github.untaken.test.calls;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** What becomes of the calls of an object that stands in for a real one. */
public interface StandIn {
    @Nullable Object answer(Method method, Object @Nullable [] arguments) throws Exception;

    /** Such an object. What the real one throws it throws, too. */
    static <T> T of(Class<T> type, StandIn calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calls.answer(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }
}
