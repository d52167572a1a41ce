package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
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

/**
 * Texts made by chance, judged and then sent to a real server: each name that is new in the table afterwards must have been told, or the text
 * been called unseen. Most texts are refused by the server, and prove nothing.
 */
public final class TextsByChance {
    private static final TableFacts LOOK = new TableFacts() {
        @Override
        public boolean isKnown() {
            return true;
        }

        @Override
        public Set<String> writtenAs(String table) {
            return Set.of("people");
        }

        @Override
        public boolean fills(IdentifierColumn column) {
            return false;
        }

        @Override
        public boolean computes(IdentifierColumn column) {
            return false;
        }
    };

    private final Random random;
    private final CatalogFacts facts = new CatalogFacts();
    private final StatementJudge judge = new StatementJudge(TABLES, facts);
    private static final WatchedTables TABLES =
            new WatchedTables(Map.of(IdentifierKind.USERNAME, Set.of(new IdentifierColumn("users", "username"))));

    private int number;
    /** Texts that stored a new name, and those of them of which each was told. */
    private int stored;

    private int told;

    public TextsByChance(long seed) {
        this.random = new Random(seed);
        facts.learn(LOOK);
    }

    /** On an empty database, with tables that are dropped again. */
    public void play(String url, int texts) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table users (id int primary key, city varchar(99), username varchar(99), age int)");
            statement.execute("create table session (id int primary key, username varchar(99))");
            statement.execute("create view people as select id, username as login, city from users");
            try {
                for (int i = 0; i < texts; i++) {
                    statement.execute("delete from users");
                    statement.execute(
                            "insert into users (id, city, username) values (1, 'here', 'known'), (2, 'x', null)");
                    tryOut(text(), connection, statement);
                }
            } finally {
                statement.execute("drop view people");
                statement.execute("drop table users");
                statement.execute("drop table session");
            }
        }
        assertThat(told).as("of %d texts that stored a name, told", stored).isGreaterThan(stored / 20);
        assertThat(stored).as("texts that stored a name").isGreaterThan(texts / 50);
    }

    private void tryOut(String sql, Connection connection, Statement statement) throws SQLException {
        List<String> bound = new ArrayList<>();
        Judgement judgement = judge.judge(sql);
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            int parameters = prepared.getParameterMetaData().getParameterCount();
            for (int i = 0; i < parameters; i++) {
                bound.add("p" + number++);
                prepared.setString(i + 1, bound.get(i));
            }
            prepared.execute();
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            return; // not everything that is made by chance is SQL
        }
        Set<String> names = new HashSet<>(Set.of("known"));
        for (Judgement.Value value : judgement.values()) {
            String name = value.text() == null ? bound.get(value.parameter() - 1) : value.text();
            if (name.length() <= value.most()) {
                names.add(name);
            } else {
                judgement = judge.anything();
            }
        }
        Set<String> there = new HashSet<>();
        try (ResultSet rows = statement.executeQuery("select username from users where username is not null")) {
            while (rows.next()) {
                there.add(rows.getString(1));
            }
        }
        stored += Set.of("known").containsAll(there) ? 0 : 1;
        if (judgement.unseen().isEmpty()) {
            assertThat(names).as("%s with %s", sql, bound).containsAll(there);
            told += Set.of("known").containsAll(there) ? 0 : 1;
        }
    }

    private String text() {
        String sql = any(
                insert(),
                insert(),
                insert() + upsert(),
                update(),
                update(),
                merge(),
                "with x as ( " + insert() + " returning id ) select * from x",
                "with x as ( select 1 ) " + update(),
                "select * from final table ( " + insert() + " )",
                "insert into session ( id , username ) values ( " + number++ + " , 'x' ) ; " + insert(),
                "set statement max_statement_time = 5 for " + pick(insert(), update()),
                "explain analyze " + update(),
                "insert into users ( id , username ) select " + (3 + number++) + " , " + value(),
                "replace into users ( id , username ) values ( 1 , " + value() + " )",
                "delete from users where city = " + value(),
                "update session set username = " + value() + " where id = ( select max( id ) from users )",
                "begin " + insert() + " ; end");
        return disguised(
                random.nextInt(5) == 0
                        ? sql + pick(" ;", " ; select 1", " /* a trace */", " -- it's", " # it's")
                        : sql);
    }

    private String table() {
        return pick(
                "users",
                "users",
                "users",
                "\"users\"",
                "`users`",
                "people",
                "session",
                "public . users",
                "/*!50000 users */");
    }

    private String insert() {
        String verb = pick("insert into ", "insert into ", "insert into ", "insert ignore into ", "insert ");
        List<String> columns = new ArrayList<>(List.of("username", "city", "id"));
        Collections.shuffle(columns, random);
        StringBuilder sql = new StringBuilder(verb).append(table()).append(pick("", "", "", " as u", " partition"));
        sql.append(random.nextInt(9) == 0 ? "" : " ( " + String.join(" , ", columns) + " )")
                .append(" values ");
        for (int row = random.nextInt(2); row >= 0; row--) {
            sql.append("( ");
            for (int i = 0; i < columns.size(); i++) {
                String column = columns.get(i);
                sql.append(i == 0 ? "" : " , ")
                        .append(
                                column.equals("id")
                                        ? pick(String.valueOf(3 + number++), "1")
                                        : column.equals("city") ? other() : value());
            }
            sql.append(row == 0 ? " )" : " ) , ");
        }
        return sql.toString();
    }

    private String upsert() {
        String clause = pick(" on conflict ( id ) do update set ", " on duplicate key update ");
        return clause
                + pick("", "city = " + other() + " , ")
                + "username = "
                + pick(
                        value(),
                        "excluded.username",
                        "values( username )",
                        "excluded.city",
                        "values( city )",
                        "upper( users.username )")
                + pick("", " where users.city = 'here'", " returning id");
    }

    private String update() {
        String table = pick("update ", "update ", "update ", "update only ", "update ignore ", "update low_priority ")
                + table();
        String column =
                pick("username", "username", "username", "u.username", "users.username", "\"username\"", "login");
        return table
                + pick("", "", " u", " as u")
                + " set "
                + pick("", "city = " + other() + " , ", "( city , age ) = ( 'a' , 1 ) , ")
                + column
                + " = "
                + value()
                + pick("", " , city = " + other())
                + pick(
                        "",
                        " where id = 1",
                        " where city = 'here' and username in ( 'known' , 'where' )",
                        " from session s where s.id = 1",
                        " limit 1");
    }

    private String merge() {
        return "merge into users "
                + pick("t", "as t")
                + " using ( select cast( ? as int ) id , "
                + pick("cast( ? as varchar )", "cast( ? as varchar(99) )", "cast( ? as varchar(9) )", value())
                + " username ) as s on ( t.id = "
                + pick("s.id", "1")
                + " ) when not matched then insert ( id , username ) values ( "
                + (3 + number++)
                + " , "
                + pick("s.username", "lower( s.username )", value())
                + " ) when matched then update set "
                + pick("username", "city")
                + " = "
                + pick("s.username", "t.city", value());
    }

    private String value() {
        String text = "'n" + number++ + "'";
        return pick(
                "?",
                "?",
                "?",
                text,
                text,
                "null",
                "lower( ? )",
                "? || 'x'",
                "cast( ? as varchar(2) )",
                "cast( ? as text )",
                "?::text",
                "'a''b" + number++ + "'",
                "'a\\'b" + number++ + "'",
                "e" + text,
                text + " 'x'",
                "( select " + text + " )",
                "concat( ? , 'x' )");
    }

    private String other() {
        return pick(
                "?",
                "'plain'",
                "'it''s, (?) here'",
                "coalesce( ? , 'x' )",
                "( select max( city ) from session s join users on 1 = 0 )",
                "case when ? = 'x' then 'y' else ? end",
                "'a\\'",
                "null");
    }

    /** The same in another dress: the case of words, blanks, comments. */
    private String disguised(String sql) {
        StringBuilder dressed = new StringBuilder(random.nextInt(8) == 0 ? "/* a comment */ " : "");
        boolean comments = random.nextInt(4) == 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == ' ' && random.nextInt(8) == 0) {
                dressed.append(
                        comments
                                ? pick(" /* ' */ ", " /**/ ", " -- ?\n", " --'\n", " #'\n")
                                : pick("  ", "\n", "\t", ""));
            } else {
                dressed.append(random.nextInt(20) == 0 ? Character.toUpperCase(c) : c);
            }
        }
        return dressed.toString();
    }

    private String any(String... all) {
        return all[random.nextInt(all.length)];
    }

    /** The first of them, or any: else hardly a text would be plain. */
    private String pick(String... all) {
        return random.nextBoolean() ? all[0] : any(all);
    }
}
