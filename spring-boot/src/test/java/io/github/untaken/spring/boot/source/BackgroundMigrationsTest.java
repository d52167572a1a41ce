package io.github.untaken.spring.boot.source;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** From when to when the database answers beside a migration. */
class BackgroundMigrationsTest {
    private final AvailabilityChecker checker = AvailabilityChecker.builder()
            .store(USERNAME, new InMemoryIdentifierStore())
            .build();
    private final BackgroundMigrations migrations = new BackgroundMigrations();

    @BeforeEach
    void awaitReady() {
        Eventually.holds("ready", () -> state() == KindState.READY);
    }

    @AfterEach
    void close() {
        checker.close();
    }

    private KindState state() {
        return checker.state(USERNAME);
    }

    @Test
    void oneThatBeginsIsNoticedBeforeItWrites() {
        migrations.concern(checker);
        assertThat(state()).isEqualTo(KindState.READY);
        migrations.opened();
        assertThat(state()).isEqualTo(KindState.DEGRADED);
        migrations.closed();
    }

    @Test
    void oneThatBeganBeforeTheCheckerWasThereIsNoticed() {
        migrations.opened();
        migrations.concern(checker);
        assertThat(state()).isEqualTo(KindState.DEGRADED);
        migrations.closed();
    }

    @Test
    void theLastConnectionIsTheEnd() {
        migrations.opened();
        migrations.opened();
        migrations.closed();
        migrations.concern(checker);
        assertThat(state()).as("one is left").isEqualTo(KindState.DEGRADED);
        assertThat(lingering()).isZero();
        migrations.closed();
        Eventually.holds("the work is over", () -> lingering() == 1); // this store does not show its transactions
    }

    private int lingering() {
        return checker.stats(USERNAME).underWay().lingering();
    }

    /** A run of Liquibase that does nothing but to open a connection and to close it. */
    private static final class Run extends SpringLiquibase {
        Run(DataSource from) {
            setDataSource(from);
        }

        @Override
        public void afterPropertiesSet() throws LiquibaseException {
            try {
                getDataSource().getConnection().close();
            } catch (SQLException e) {
                throw new LiquibaseException(e);
            }
        }
    }

    private Run run(boolean refused) {
        return new Run(new MigratingDataSource(
                new AbstractDataSource() {
                    @Override
                    public Connection getConnection() throws SQLException {
                        if (refused) {
                            throw new SQLException("the pool is empty");
                        }
                        return (Connection) Proxy.newProxyInstance(
                                Connection.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, arguments) -> null);
                    }

                    @Override
                    public Connection getConnection(String user, String password) throws SQLException {
                        return getConnection();
                    }
                },
                migrations));
    }

    @Test
    void aConnectionThatWasRefusedOrClosedIsOpenNoMore() throws Exception {
        assertThatThrownBy(run(true)::afterPropertiesSet).hasMessageContaining("the pool is empty");
        run(false).afterPropertiesSet();
        migrations.concern(checker);
        assertThat(state()).isEqualTo(KindState.READY);
    }
}
