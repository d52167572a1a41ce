package io.github.untaken.planted;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The program of a JVM that runs one test and tells by its exit status how that went. */
final class OneTest {
    static final int PASSED = 0;
    /** An assertion failed. */
    static final int FAILED = 10;
    /** Nothing was found under that name, or it was not run. */
    static final int NOT_FOUND = 11;
    /** Something else was thrown, such as a linkage error; that shows nothing. */
    static final int BROKEN = 12;
    /** Something did not come in time. */
    static final int WAITED = 13;

    private OneTest() {}

    public static void main(String[] arguments) {
        // Not main's return: threads of the broken code may still run.
        System.exit(run(arguments[0]));
    }

    private static int run(String selector) {
        Listener listener = new Listener();
        try {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(methods(selector))
                    .build();
            LauncherFactory.create().execute(request, listener);
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            System.out.println(e);
            return NOT_FOUND;
        }
        if (listener.ran == 0) {
            System.out.println("\nno test ran " + listener.failures);
            return NOT_FOUND;
        }
        if (listener.failures.isEmpty()) {
            return PASSED;
        }
        // What else was thrown beside it may come of it, such as a table that nobody can drop while a transaction is
        // open.
        Throwable assertion = listener.failures.stream()
                .filter(AssertionError.class::isInstance)
                .findFirst()
                .orElse(null);
        if (assertion == null) {
            listener.failures.get(0).printStackTrace(System.out);
            return BROKEN;
        }
        System.out.println("\n" + String.valueOf(assertion.getMessage()).strip().replaceAll("\\s+", " "));
        return waitedInVain(assertion) ? WAITED : FAILED;
    }

    /** By name, since each module has its own. */
    private static boolean waitedInVain(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each.getClass().getSimpleName().equals("WaitedInVain")) {
                return true;
            }
        }
        return false;
    }

    /** All of that name, whatever parameters they are run with. */
    private static List<MethodSelector> methods(String selector) throws ClassNotFoundException {
        String[] parts = selector.split("#");
        Class<?> type = Class.forName(parts[0], false, OneTest.class.getClassLoader());
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(parts[1]))
                .map(method -> DiscoverySelectors.selectMethod(type, method))
                .toList();
    }

    private static final class Listener implements TestExecutionListener {
        private final List<Throwable> failures = new ArrayList<>();
        private int ran;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED) {
                ran++;
            }
            result.getThrowable().ifPresent(failures::add);
        }
    }
}
