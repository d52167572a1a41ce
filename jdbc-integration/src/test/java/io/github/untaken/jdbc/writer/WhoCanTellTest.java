package io.github.untaken.jdbc.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which servers can tell of open transactions, and by which addresses just one of them is reached. */
class WhoCanTellTest {

    @Test
    void onlyPostgresItselfIsKnown() {
        assertThat(List.of(
                        "PostgreSQL 15.12 on x86_64-pc-linux-gnu, compiled by gcc",
                        "PostgreSQL 18.6 (Debian 18.6-1.pgdg120+1) on aarch64-unknown-linux-gnu, compiled by gcc",
                        "PostgreSQL 19beta1 on x86_64-pc-linux-musl, compiled by gcc"))
                .allMatch(PostgreSqlWriters::isKnown);
        assertThat(List.of(
                        "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)",
                        "PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64-pc-linux-gnu, compiled by clang",
                        "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.12103",
                        "PostgreSQL 12.12 (Greenplum Database 7.0.0 build) on x86_64-pc-linux-gnu",
                        "PostgreSQL 13.14.0-RisingWave-2.0.0 (abc)",
                        "PostgreSQL 9.5 on x86_64-unknown-linux-gnu (Materialize v0.26)"))
                .noneMatch(PostgreSqlWriters::isKnown);
    }

    @Test
    void anAddressOfSeveralServersProvesNothing() {
        assertThat(List.of(
                        "jdbc:postgresql://db/app?options=a,b",
                        "jdbc:postgresql:app",
                        "jdbc:mariadb://db:3306/app?sessionVariables=a=1,b=2",
                        "jdbc:h2:mem:app;INIT=select 1, 2",
                        "jdbc:h2:tcp://localhost/./app"))
                .allMatch(DatabaseBarrier::leadsToOneServer);
        assertThat(List.of(
                        "jdbc:postgresql://one:5432,two:5432/app",
                        "jdbc:mariadb:replication://one,two/app",
                        "jdbc:mysql://address=(host=one),address=(host=two)/app",
                        "jdbc:mysql+srv://db.example/app",
                        "jdbc:h2:tcp://one,two/./app"))
                .noneMatch(DatabaseBarrier::leadsToOneServer);
        assertThat(DatabaseBarrier.leadsToOneServer(null)).isFalse();
    }
}
