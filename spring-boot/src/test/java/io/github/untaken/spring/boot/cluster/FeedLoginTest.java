package io.github.untaken.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.FeedDatabase;
import io.github.untaken.spring.boot.UntakenProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** As whom the log is read: what is said for it alone comes before what the application's pool has. */
class FeedLoginTest {
    private final FeedDatabase same = new FeedDatabase("jdbc:postgresql://one/a", () -> "shop", () -> "ofThePool");

    private Map<String, String> login(String... said) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (int i = 0; i < said.length; i += 2) {
            properties.put("untaken.cluster." + said[i], said[i + 1]);
        }
        UntakenProperties bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("untaken", UntakenProperties.class);
        Map<String, String> login = new LinkedHashMap<>();
        FeedLogin.of(bound.cluster(), same, new DefaultListableBeanFactory().getBeanProvider(DataSource.class))
                .to(put("user", login), put("password", login));
        return login;
    }

    private static Consumer<Supplier<String>> put(String name, Map<String, String> login) {
        return asked -> login.put(name, asked.get());
    }

    @Test
    void isThatOfTheApplicationUnlessThePropertiesSayAnother() {
        assertThat(login()).isEqualTo(Map.of("user", "shop", "password", "ofThePool"));
        assertThat(login("username", "reader", "password", "ofTheReader"))
                .isEqualTo(Map.of("user", "reader", "password", "ofTheReader"));
        assertThat(login("username", "reader")).isEqualTo(Map.of("user", "reader", "password", "ofThePool"));
    }
}
