package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement.Value;
import io.github.untaken.testkit.Seed;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts made by chance, read here and executed by H2: what it has stored must have been found, or be called unseen. */
class ReadValuesAreStoredTest {
    private static final int TEXTS = 1_000;

    private final Random random = new Random(Seed.of(ReadValuesAreStoredTest.class, 20261122));
    private final WordJudge judge = new WordJudge(
            new WatchedTables(Map.of(IdentifierKind.USERNAME, Set.of(new IdentifierColumn("users", "username")))),
            new KnownFacts());
    private int number;

    @Test
    void nothingIsStoredThatWasNotFound() throws SQLException {
        int understood = 0;
        int executed = 0;
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("create table users (id bigint auto_increment primary key, city varchar(99),"
                    + " username varchar(99), age int)");
            statement.execute("create table session (id bigint auto_increment primary key, username varchar(99))");
            for (int i = 0; i < TEXTS; i++) {
                statement.execute("delete from users");
                statement.execute("insert into users (city, username) values ('here', null)");
                String sql = disguised(random.nextBoolean() ? insert() : update());
                List<String> bound = bind(sql);
                Judgement reading = judge.judge(sql);
                if (!execute(connection, sql, bound)) {
                    continue;
                }
                executed++;
                if (!reading.unseen().isEmpty()) {
                    continue;
                }
                understood++;
                Set<String> found = new HashSet<>();
                for (Value value : reading.values()) {
                    found.add(value.text() == null ? bound.get(value.parameter() - 1) : value.text());
                }
                assertThat(stored(statement)).as("%s with %s", sql, bound).isEqualTo(found);
            }
        }
        assertThat(executed).as("texts that H2 takes").isGreaterThan(TEXTS / 2);
        assertThat(understood).as("of them understood").isGreaterThan(executed / 2);
    }

    private static boolean execute(Connection connection, String sql, List<String> bound) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < bound.size(); i++) {
                statement.setString(i + 1, bound.get(i));
            }
            statement.execute();
            return true;
        } catch (SQLException e) {
            return false; // not everything that is made by chance is SQL
        }
    }

    private static Set<String> stored(Statement statement) throws SQLException {
        Set<String> stored = new HashSet<>();
        try (ResultSet rows = statement.executeQuery("select username from users where username is not null")) {
            while (rows.next()) {
                stored.add(rows.getString(1));
            }
        }
        return stored;
    }

    /** A value for each question mark that is a parameter, as H2 counts them. */
    private List<String> bind(String sql) {
        String bare = sql.replaceAll("'(''|[^'])*'", "''")
                .replaceAll("/\\*.*?\\*/", "")
                .replaceAll("--.*\n", "");
        List<String> values = new ArrayList<>();
        bare.chars().filter(c -> c == '?').forEach(c -> values.add(name()));
        return values;
    }

    private String name() {
        return pick("a", "b'", "?", "c--", "/*", "d") + number++;
    }

    private String insert() {
        List<String> columns = new ArrayList<>(List.of("username", "city", "age"));
        Collections.shuffle(columns, random);
        List<String> chosen = columns.subList(0, 1 + random.nextInt(columns.size()));
        StringBuilder sql =
                new StringBuilder(pick("insert into users ", "insert into public.users ", "insert into \"USERS\" "));
        if (random.nextInt(12) == 0) {
            return sql
                    + pick(
                            "values (default, 'x', ?, 1)",
                            "(username) select ?",
                            "(city, username) select city, ? from users");
        }
        sql.append('(').append(String.join(" , ", chosen)).append(") values ");
        int rows = 1 + random.nextInt(3);
        for (int row = 0; row < rows; row++) {
            sql.append(row == 0 ? "( " : " , ( ");
            for (int i = 0; i < chosen.size(); i++) {
                sql.append(i == 0 ? "" : " , ").append(value(chosen.get(i)));
            }
            sql.append(" )");
        }
        return sql + pick("", "", ";", " ; ");
    }

    private String update() {
        List<String> sets = new ArrayList<>();
        for (String column : List.of("city", "username", "age")) {
            if (random.nextBoolean()) {
                sets.add(pick("", "", "u . ") + column + " = " + value(column));
            }
        }
        Collections.shuffle(sets, random);
        String where = pick(
                "",
                " where city = 'here'",
                " where username is null and city in ( 'here' , 'where = ?' )",
                " where id in (select id from users)");
        return pick("update users u set ", "update public.users as u set ", "update users u set ")
                + String.join(" , ", sets)
                + where;
    }

    private String value(String column) {
        if (column.equals("age")) {
            return pick(
                    "1",
                    "cast( char_length( ? ) as int )",
                    "( select max( char_length( x ) ) from ( values ( ? ) , ( 'a, (?' ) ) v( x ) )");
        }
        if (column.equals("city")) {
            return pick(
                    "?",
                    "'plain'",
                    "'it''s, (?) here'",
                    "coalesce( ? , 'x' )",
                    "concat( ? , ( select ? ) )",
                    "case when ? = 'x' then 'y' else ? end",
                    "null");
        }
        return pick(
                "?",
                "?",
                "?",
                "'n" + number++ + "'",
                "'it''s" + number++ + "'",
                "'?" + number++ + "'",
                "null",
                "lower( ? )",
                "? || 'x'",
                "default");
    }

    /** The same in another dress: the case of words, blanks, comments. */
    private String disguised(String sql) {
        StringBuilder dressed = new StringBuilder();
        boolean comments = random.nextInt(3) == 0; // behind these, nothing is read
        boolean quoted = false;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            quoted ^= c == '\'' || c == '"';
            if (!quoted && c == ' ' && random.nextInt(6) == 0) {
                dressed.append(
                        comments ? pick(" /* ? */ ", " /* it's ( */ ", " -- , ?\n") : pick("  ", "\n", "\t", "\r\n"));
            } else {
                dressed.append(!quoted && random.nextInt(9) == 0 ? Character.toUpperCase(c) : c);
            }
        }
        return dressed.toString();
    }

    private String pick(String... all) {
        return all[random.nextInt(all.length)];
    }
}
