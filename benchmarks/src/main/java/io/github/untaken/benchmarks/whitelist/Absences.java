package io.github.untaken.benchmarks.whitelist;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A bounded memory of names proved absent, by either of two rules of what gives way. */
interface Absences {
    boolean has(Object name);

    void learn(Object name, List<Object> texts);

    long size();

    /** The whitelist as it is: Caffeine lets a name in only where it was asked for more often, of late, than the one that would go. */
    static Absences caffeine(long most) {
        var cache =
                Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).<Object, List<Object>>build();
        return new Absences() {
            @Override
            public boolean has(Object name) {
                return cache.getIfPresent(name) != null;
            }

            @Override
            public void learn(Object name, List<Object> texts) {
                cache.put(name, texts);
            }

            @Override
            public long size() {
                cache.cleanUp();
                return cache.estimatedSize();
            }
        };
    }

    /** Every name is let in, and the one that has not been asked for longest goes. */
    static Absences leastRecent(long most) {
        Map<Object, List<Object>> names = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, List<Object>> eldest) {
                return size() > most;
            }
        });
        return new Absences() {
            @Override
            public boolean has(Object name) {
                return names.get(name) != null;
            }

            @Override
            public void learn(Object name, List<Object> texts) {
                names.put(name, texts);
            }

            @Override
            public long size() {
                return names.size();
            }
        };
    }
}
