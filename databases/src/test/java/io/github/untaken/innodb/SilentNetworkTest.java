package io.github.untaken.innodb;

import io.github.untaken.jdbc.SilentNetwork;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class SilentNetworkTest {
    @ParameterizedTest
    @EnumSource
    void whoAsksLeavesInTime(Driver driver) throws Exception {
        try (Table table = new Table(driver, "varchar(20) collate " + Product.UNDER_TEST.exactCollation())) {
            table.sql("insert into TABLE (username) values ('alice')");
            SilentNetwork.whoAsksLeavesInTime(Server.RUNNING.port(), port -> driver.url("untaken", port), table.name());
        }
    }
}
