package io.github.untaken.spring.boot.cluster;

import io.github.untaken.spring.boot.FeedDatabase;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.Given;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The user and password that read the log: from the properties, or else from the application's pool at that moment.
 *
 * @param username null if nobody has said so
 */
record FeedLogin(
        @Nullable Supplier<String> username, @Nullable Supplier<String> password) {

    /** @param same the database whose address is followed; null if the properties name another address */
    static FeedLogin of(UntakenProperties.Cluster from, @Nullable FeedDatabase same, ObjectProvider<DataSource> pools) {
        Supplier<String> username = null;
        Supplier<String> password = null;
        if (same != null) {
            DataSource pool = pools.getIfUnique();
            FeedDatabase now = pool == null ? same : PoolLogin.of(same, pool);
            username = present(now.username());
            password = present(now.password());
        }
        String givenUsername = from.username();
        String givenPassword = from.password();
        return new FeedLogin(
                givenUsername == null ? username : () -> givenUsername,
                givenPassword == null ? password : () -> givenPassword);
    }

    private static Supplier<String> present(Supplier<@Nullable String> asked) {
        return () -> Objects.requireNonNullElse(asked.get(), "");
    }

    /** Hands on what is known. */
    void to(Consumer<Supplier<String>> user, Consumer<Supplier<String>> pass) {
        Given.set(username, user);
        Given.set(password, pass);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "FeedLogin";
    }
}
