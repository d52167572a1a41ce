package io.github.untaken.spring.boot.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.spring.boot.FeedDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** With which user and password the feed opens its next connection. */
class PoolLoginTest {
    private final FeedDatabase told = new FeedDatabase("jdbc:postgresql://one/a", () -> "shop", () -> "told");

    @Test
    void isThatOfThePoolAtTheMomentAlsoBehindAWrapper() {
        try (HikariDataSource pool = new HikariDataSource()) { // opens nothing until it is asked
            pool.setUsername("shop");
            pool.setPassword("old");
            FeedDatabase login = PoolLogin.of(told, new DelegatingDataSource(pool));
            assertThat(login.url()).isEqualTo(told.url());
            assertThat(login.password().get()).isEqualTo("old");
            pool.setUsername("shop2");
            pool.setPassword("rotated");
            assertThat(login.username().get()).isEqualTo("shop2");
            assertThat(login.password().get()).isEqualTo("rotated");
        }
    }

    @Test
    void isWhatSpringBootWasToldWhereThePoolCannotBeAsked() {
        assertThat(PoolLogin.of(told, new DriverManagerDataSource())).isSameAs(told);
    }
}
