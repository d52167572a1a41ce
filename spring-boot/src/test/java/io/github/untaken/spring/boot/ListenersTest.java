package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.CheckListener;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.StoreRead;
import io.github.untaken.Verdict;
import io.github.untaken.http.EndpointListener;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever one listener would be told, all are. */
class ListenersTest {
    private static final IdentifierKind KIND = IdentifierKind.USERNAME;

    private static <T> T noting(Class<T> type, List<String> told, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    told.add(method.getName());
                    return method.getReturnType() == void.class ? null : answer;
                }));
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
                                .map(ListenersTest::sample)
                                .toArray());
            }
        }
        assertThat(first).containsExactlyInAnyOrderElementsOf(methods);
        assertThat(second).containsExactlyInAnyOrderElementsOf(methods);
    }

    @Test
    void allListenersOfTheCheckerAreToldEverything() throws Exception {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        tellAll(
                CheckListener.class,
                CheckListeners.of(
                        List.of(noting(CheckListener.class, first, KIND), noting(CheckListener.class, second, KIND))),
                first,
                second);
    }

    @Test
    void allListenersOfTheEndpointAreToldEverything() throws Exception {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        tellAll(
                EndpointListener.class,
                new EndpointListeners(List.of(
                        noting(EndpointListener.class, first, KIND), noting(EndpointListener.class, second, KIND))),
                first,
                second);
    }

    @Test
    void whoNamesTheAskerIsBelieved() {
        CheckListener silent = new CheckListener() {};
        CheckListener naming = noting(CheckListener.class, new ArrayList<>(), "mine");
        assertThat(CheckListeners.of(List.of(naming, silent)).storeAsked(KIND)).isEqualTo("mine");
        assertThat(CheckListeners.of(List.of(silent, silent)).storeAsked(KIND)).isEqualTo(KIND);
    }
}
