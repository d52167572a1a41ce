package io.github.untaken.innodb;

import io.github.untaken.jdbc.paths.TextsByChance;
import io.github.untaken.testkit.Seed;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With modes in which the server reads quotes and backslashes in another way, and takes several statements in one text. */
@Tag("nightly")
class TextsByChanceTest {
    private static final int TEXTS = 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "&allowMultiQueries=true",
                "&sessionVariables=sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                "&sessionVariables=sql_mode='PIPES_AS_CONCAT'",
            })
    void nothingIsStoredThatWasNotTold(String options) throws SQLException {
        for (Driver driver : Driver.values()) {
            new TextsByChance(Seed.of(TextsByChanceTest.class, 20261127)).play(driver.url("untaken") + options, TEXTS);
        }
    }
}
