package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.testkit.Eventually;
import org.junit.jupiter.api.Test;

class LoadedValuesTest {
    private final LoadedValues loaded = new LoadedValues();

    /** Equal to any other, as entities with careless methods are. */
    private static final class Careless {
        @Override
        public boolean equals(Object other) {
            return other instanceof Careless;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void tellsEqualEntitiesApart() {
        Careless one = new Careless();
        Careless two = new Careless();
        loaded.remember(one, new String[] {"alice"});
        loaded.remember(two, new String[] {"bob"});
        loaded.remember(one, new String[] {"carol"});
        assertThat(loaded.of(one)).containsExactly("carol");
        assertThat(loaded.of(two)).containsExactly("bob");
        assertThat(loaded.forget(one)).containsExactly("carol");
        assertThat(loaded.of(one)).isNull();
        assertThat(loaded.size()).isEqualTo(1);
    }

    @Test
    void keepsNoEntityAlive() {
        Careless kept = new Careless();
        loaded.remember(kept, new String[] {"alice"});
        for (int i = 0; i < 10_000; i++) {
            loaded.remember(new Careless(), new String[] {"name" + i});
        }
        Eventually.holds("all others are collected", () -> {
            System.gc();
            return loaded.size() == 1;
        });
        assertThat(loaded.of(kept)).containsExactly("alice");
    }
}
