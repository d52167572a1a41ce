package io.github.untaken.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;

/** The connection properties of a driver, as a builder was told them; some are asked anew for each connection. Not thread-safe. */
public final class Given {
    private final Properties properties = new Properties();
    private final Map<String, Supplier<String>> asked = new HashMap<>();

    /** Always so. */
    public void set(String name, String value) {
        properties.setProperty(name, value);
    }

    /** As it is said to be before each connection; not at all if that is empty. Goes before what is always so. */
    public void ask(String name, Supplier<String> value) {
        asked.put(name, value);
    }

    /** What holds at the moment it is asked; what is told here later plays no part. */
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
