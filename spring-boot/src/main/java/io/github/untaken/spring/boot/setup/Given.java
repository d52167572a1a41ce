package io.github.untaken.spring.boot.setup;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands on what somebody has set. Spring Boot's {@code PropertyMapper} passes over what is null on some of its lines only. */
public final class Given {
    private Given() {}

    public static <T> void set(@Nullable T value, Consumer<? super T> setting) {
        if (value != null) {
            setting.accept(value);
        }
    }
}
