package io.github.untaken.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;

/** The connection properties of a driver, as given to a builder; some are asked for before each connection. Not thread-safe. */
public final class Given {
    private final Properties properties = new Properties();
    private final Map<String, Supplier<String>> asked = new HashMap<>();

    /** Sets a property that is the same for all connections. */
    public void set(String name, String value) {
        properties.setProperty(name, value);
    }

    /** Asks for a property before each connection. The answer overrides {@link #set}, unless it is empty. */
    public void ask(String name, Supplier<String> value) {
        asked.put(name, value);
    }

    /** The properties at the moment of each call. Whatever is set here later has no effect. */
    public Supplier<Properties> frozen() {
        Properties always = new Properties();
        always.putAll(properties);
        Map<String, Supplier<String>> later = Map.copyOf(asked);
        return () -> present(always, later);
    }

    private static Properties present(Properties always, Map<String, Supplier<String>> later) {
        Properties present = new Properties();
        present.putAll(always);
        later.forEach((name, supplier) -> {
            String said = supplier.get();
            if (!said.isEmpty()) {
                present.setProperty(name, said);
            }
        });
        return present;
    }
}
