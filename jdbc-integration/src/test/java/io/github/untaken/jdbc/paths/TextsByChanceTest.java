package io.github.untaken.jdbc.paths;

import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Seed;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("nightly")
class TextsByChanceTest {
    private static final int TEXTS = 40_000;

    private final TextsByChance texts = new TextsByChance(Seed.of(TextsByChanceTest.class, 20261127));

    @ParameterizedTest
    @ValueSource(strings = {"", ";MODE=MySQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE"})
    void nothingIsStoredThatWasNotToldOnH2(String mode) throws SQLException {
        texts.play(Engine.H2.database() + mode, TEXTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&options=-c%20standard_conforming_strings=off"})
    void nothingIsStoredThatWasNotToldOnPostgreSql(String options) throws SQLException {
        texts.play(Engine.POSTGRESQL.database() + options, TEXTS);
    }
}
