package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/** Whatever one listener would be told, all are. */
public final class EveryCall {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private EveryCall() {}

    /** A listener that notes what it is told. */
    public static <T> T noting(Class<T> type, List<String> told, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    told.add(method.getName());
                    return method.getReturnType() == void.class ? null : answer;
                }));
    }

    /** @param all makes one listener of two */
    public static <T> void reachesBoth(Class<T> type, BinaryOperator<T> all) throws Exception {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        tellAll(type, all.apply(noting(type, first, KIND), noting(type, second, KIND)), first, second);
    }

    private static Object sample(Class<?> type) {
        List<Object> samples = List.of(
                KIND,
                Verdict.Status.TAKEN,
                Verdict.DecidedBy.STORE,
                KindState.READY,
                new StoreRead(List.of(), 1, 1, true),
                new KindStats.Audit(0, 0, 0, 0, 0),
                "text");
        if (type == int.class) {
            return 1;
        }
        return type == long.class
                ? (Object) 1L
                : samples.stream().filter(type::isInstance).findFirst().orElseThrow();
    }

    private static <T> void tellAll(Class<T> type, T all, List<String> first, List<String> second) throws Exception {
        List<String> methods = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                methods.add(method.getName());
                method.invoke(
                        all,
                        Arrays.stream(method.getParameterTypes())
                                .map(EveryCall::sample)
                                .toArray());
            }
        }
        assertThat(first).containsExactlyInAnyOrderElementsOf(methods);
        assertThat(second).containsExactlyInAnyOrderElementsOf(methods);
    }
}
