package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a text's values are: identifiers are in users.username and users.phone. */
class OneShapeTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final IdentifierKind PHONE = IdentifierKind.PHONE;
    private static final IdentifierColumn NAME_COLUMN = new IdentifierColumn("app.users", "username");

    private final WordJudge judge = judge(new KnownFacts());

    private static WordJudge judge(TableFacts facts) {
        return new WordJudge(
                new WatchedTables(
                        Map.of(USERNAME, Set.of(NAME_COLUMN), PHONE, Set.of(new IdentifierColumn("users", "phone")))),
                facts);
    }

    /** For example {@code username ?2, phone 'x'}; the order is not of interest. */
    private static String told(List<Value> values) {
        return values.stream()
                .map(value -> value.kind() + " " + (value.text() == null ? "?" + value.parameter() : value.text()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "insert into users (username) values (?)                                   | username ?1",
                "insert into users (id, username) values (?, ?)                            | username ?2",
                "INSERT INTO Users (id, UserName, phone) VALUES (?, ?, ?);                 | phone ?3, username ?2",
                "insert into app.\"users\" (\"username\", `phone`) values (?, ?)           | phone ?2, username ?1",
                "insert into users (id, username) values (1, 'alice')                      | username alice",
                "insert into users (id, username) values (1, 'o''hara')                    | username o'hara",
                "insert into users (id, username) values (nextval('s'), ?)                 | username ?1",
                "insert into users (a, username) values (coalesce(?, f(?, (?))), ?)        | username ?4",
                "insert into users (id, username) values (?::uuid, ?)                      | username ?2",
                "insert into users (a, username) values ('?', ?)                           | username ?1",
                "insert into users (a, username) values ((select max(a), ? from x), ?)     | username ?2",
                "insert into users (username) values (?), (?), ('x')                       | username ?1, username ?2, username x",
                "insert into users (username, phone) values (?, null), (null, ?)           | phone ?2, username ?1",
                "insert into users (username) values (?) returning id, username            | username ?1",
                "insert into users (username) values (?) on conflict do nothing            | username ?1",
                "insert into users (username) values (?) on conflict (username) do nothing | username ?1",
                "insert into users as u (id, username) values (cast(? as bigint), ?)       | username ?2",
                "insert into users (username, \"UserName\") values (?, ?)                  | username ?1, username ?2",
                "update users set username = ?                                             | username ?1",
                "update users set city = ?, username = ? where id = ?                      | username ?2",
                "update users set username = 'bob', phone = ? where username = 'alice'     | phone ?1, username bob",
                "update users u set u.username = ?, city = f(?, ?) where u.id in (?, ?)    | username ?1",
                "update users as u set city = (select x from y where z = ?), username = ?  | username ?2",
                "update users set username = null where id = ?                             | ~~",
                "insert into users (username) values (null)                                | ~~",
            })
    void findsTheValuesOfPlainStatements(String sql, String values) {
        Judgement reading = judge.judge(sql);
        assertThat(told(reading.values())).as(sql).isEqualTo(values);
        assertThat(reading.unseen()).as(sql).isEmpty();
        assertThat(reading.mistrusted()).isFalse();
    }

    /** As Hibernate calls it on PostgreSQL. */
    @Test
    void anotherTableThatHasAnAliasIsNothingUnlessTheAliasIsTheTablesName() {
        String insert = "insert into Applicant as %s(id,name) select -2,a2_0.username from users a2_0 where a2_0.id=-5";
        assertThat(judge.judge(insert.formatted("a1_0")).isNothing()).isTrue();
        assertThat(judge.judge(insert.formatted("users")).unseen()).contains(USERNAME);
    }

    /** As H2 makes the default of it, of an UPDATE, too. */
    @Test
    void whatNullBecomesIsUnseenWhereTheDatabaseComputes() {
        WordJudge computing = judge(new KnownFacts().computing("username"));
        assertThat(computing.judge("update users set username = null").unseen()).containsExactly(USERNAME);
        assertThat(computing.judge("insert into users (username) values (null)").unseen())
                .containsExactly(USERNAME);
    }

    /** As Hibernate calls the table of a nested class. */
    @Test
    void aDollarMayStandInTheMiddleOfAName() {
        WordJudge nested = new WordJudge(
                new WatchedTables(Map.of(
                        USERNAME,
                        Set.of(
                                new IdentifierColumn("Shape", "username"),
                                new IdentifierColumn("Shape$Round", "username")))),
                new KnownFacts());
        for (String table : List.of("Shape", "Shape$Round", "SHAPE$ROUND", "app.Shape$Round")) {
            Judgement told = nested.judge("insert into " + table + " (a$b, username) values (c$d$e, ?)");
            assertThat(told(told.values())).as(table).isEqualTo("username ?1");
            assertThat(told.unseen()).as(table).isEmpty();
            assertThat(nested.judge("insert into " + table + " values (1, ?)").unseen())
                    .containsExactly(USERNAME);
        }
        for (String table : List.of("Shape$Square", "Shape$Rounded", "Shape$Round$Small", "Round$Shape")) {
            assertThat(nested.judge("insert into " + table + " (username) values (?)")
                            .isNothing())
                    .as(table)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into users as u (username) values (?) on conflict (username) do update set username = u.username",
                "insert into users as (username) values (?)",
                "insert into users (a, username) values (array[?, ?], ?)",
                "insert into users (a, username) values (/* ? */ 1 /* ( */, ?)",
                "update only users set username = ? where a = (select 1 from x) returning id",
                "insert into users values (1, ?)",
                "insert into users select * from old_users",
                "insert into users (username) select name from old_users",
                "insert into users (username) (select ?)",
                "insert into users (username) table old_users",
                "insert into users (username) default values",
                "insert into users set username = ?",
                "insert into users (username) value (?)",
                "insert into users (username) values row(?)",
                "insert into users (id, username) values (?, ?) on conflict (id) do update set username = excluded.phone",
                "insert into users (username) values (?) as new",
                "insert into users (username) values (lower(?))",
                "insert into users (username) values (trim(both from ?))",
                "insert into users (username) values (? || 'x')",
                "insert into users (username) values ('x' 'y')",
                "insert into users (username) values ('a\\'b')",
                "insert into users (username) values (E'a')",
                "insert into users (username) values (N'a')",
                "insert into users (username) values (_utf8'a')",
                "insert into users (username) values ($$a$$)",
                "insert into users (a, username) values (b$$c, ?)",
                "insert into users (a, username) values (b$c$, ?)",
                "insert into users (a, username) values (1$c, ?)",
                "insert into users (a, username) values ($c$d$c$, ?)",
                "insert into users (username) values (\"a\")",
                "insert into users (username) values (name)",
                "insert into users (username) values (7)",
                "insert into users (username) values (x'61')",
                "insert into users (username) values ((?))",
                "insert into users (username) values ((select ?))",
                "insert into users (username) values (?1)",
                "insert into users (doc, username) values (a ?? b, ?)",
                "insert into users (username[1]) values (?)",
                "insert into users (username.x) values (?)",
                "insert into users (username) values (?, ?)",
                "insert into users (username, city) values (?)",
                "insert into users (username) values (?), (?, ?)",
                "insert into users (username) overriding system value values (?)",
                "insert into users partition (p0) (username) values (?)",
                "insert ignore into users (username) values (?)",
                "insert low_priority into users (username) values (?)",
                "insert into users (username) values (?); insert into users (username) values (?)",
                "select 1; insert into users (username) values (?)",
                "replace into users (username) values (?)",
                "merge into users (username) key (username) values (?)",
                "merge into users using x on (a = b) when not matched then insert (username) values (?)",
                "upsert into users (username) values (?)",
                "copy users from stdin",
                "copy users (username) from '/tmp/x'",
                "load data infile 'x' into table users",
                "import into users csv data ('x')",
                "with x as (select 1) insert into users (username) values (?)",
                "with x as (insert into users (username) values (?) returning id) select * from x",
                "select * from final table (insert into users (username) values (?))",
                "explain analyze insert into users (username) values (?)",
                "insert into users (username) values (?) /*! , ('x') */",
                "insert into users (username) values (?) # comment",
                "update users set username = lower(?)",
                "update users set username = username || ?",
                "update users set username = ? || ?",
                "update users set (username, city) = (?, ?)",
                "update users set (username) = row(?)",
                "update users, x set username = ?",
                "update users join x on a = b set username = ?",
                "update ignore users set username = ?",
                "update low_priority users set username = ?",
                "update users partition (p0) set username = ?",
                "update u set username = ? from users u",
                "update users set username = ? from x where x.id = users.id",
                "update users set username = @x := ?",
                "update users set username = ? limit 1",
                "update users set username[1] = ?",
                "declare x int; insert into users (username) values (?)",
                "call sign_up(?)",
                "{call sign_up(?)}",
                "insert into users (id, username, city) values (? // which?\n, ?, ?)",
                "update users set city = ? // don't\n, username = ? -- it's",
                "insert into users (id, username) values (:1, ?)",
                "insert into users (id, username) values (:id, ?)",
                "insert into users (id, username) values (@id, ?)",
                "insert into users (id, username) values ($1, ?)",
                "insert into users (id, username) values (?, ?) on conflict (id) do update set username = 'x'"
                        + " on conflict do nothing",
                "update session set city = 1 output inserted.name into users where id = 1",
                "delete from session output deleted.name into users (username)",
                "update users set a = 'C:\\', username = 'b' /* /* */ it\\'s */ -- '",
            })
    void whateverElseMayWriteIsUnseen(String sql) {
        Judgement reading = judge.judge(sql);
        assertThat(reading.unseen()).as(sql).contains(USERNAME);
    }

    private static final String MERGE =
            "merge into users as t using (select cast(? as bigint) id, cast(? as varchar(255)) username)"
                    + " as s on (t.id=s.id) when not matched then insert (id, username) values (s.id, s.username) ";

    /** Upserts, and what Hibernate makes of them and of its secondary tables. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "insert into users (username) values (?) on duplicate key update username = ?       | username ?1, username ?2",
                "insert into users (id, username) values (?, ?) on duplicate key update id = id      | username ?2",
                "insert into users (id, username) values (?, ?) on duplicate key update username = values(username) | username ?2",
                "insert into users (id, username) values (?, ?) on conflict (id) do update set username = excluded.username, n = n + 1 where users.n < ? returning id | username ?2",
                "insert into users (id, username) values (1, 'x') on conflict on constraint u do update set username = 'y' | username x, username y",
                "insert into users (id, username) values (?, cast(? as text))                        | username ?2",
                "insert into users (id, username) values (?, ?::text)                                | username ?2",
                "update users set username = cast('bob' as text) where id = ?                        | username bob",
                "MERGE when matched then update set username=s.username                              | username ?2, username ?2",
                "MERGE when matched and s.username is null then delete when matched then update set username=s.username | username ?2, username ?2",
                "MERGE when matched then update set city=s.id                                        | username ?2",
            })
    void findsTheValuesOfUpserts(String sql, String values) {
        Judgement judgement = judge.judge(sql.replace("MERGE ", MERGE));
        assertThat(told(judgement.values())).isEqualTo(values);
        assertThat(judgement.unseen()).as(sql).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into users (id, username) values (?, ?) on duplicate key update username = upper(username)",
                "insert into users (id, username) values (?, ?) on duplicate key update username = values(phone)",
                "insert into users (id, username) values (?, ?::int::text)",
                "insert into users (id, username) values (?, ?::name)",
                "insert into users (id, username) values (?, ?::char(3))",
                "insert into users (id, username) values (?, cast(lower(?) as text))",
                "MERGE when matched then update set username=t.city",
                "MERGE when matched then update set username=lower(s.username)",
                "MERGE when matched then update set username=s.other",
                "MERGE when matched then do something",
                "merge into users as t using (select ? id, ? username union select ? id, ? username) as s on (t.id=s.id)"
                        + " when not matched then insert (id, username) values (s.id, s.username)",
                "merge into users as t using (select username from old) as s on (t.id=s.id)"
                        + " when not matched then insert (id, username) values (s.id, s.username)",
            })
    void anUpsertOfAnythingElseIsUnseen(String sql) {
        assertThat(judge.judge(sql.replace("MERGE ", MERGE)).unseen()).as(sql).contains(USERNAME);
    }

    /** A length may count bytes, of which a character has three at most; and one database cuts at thirty where none is given. */
    @ParameterizedTest
    @CsvSource({
        "?::varchar(9), 3",
        "cast(? as varchar(255)), 85",
        "cast(? as varchar), 30",
        "cast(? as text), 2147483647"
    })
    void aCastKeepsOnlySoManyCharacters(String value, int most) {
        Judgement judgement = judge.judge("insert into users (username) values (" + value + ")");
        assertThat(judgement.values()).extracting(Value::most).containsExactly(most);
    }

    @Test
    void oneColumnMayBeFoundWhereAnotherIsNot() {
        Judgement reading = judge.judge("insert into users (username, phone) values (?, f(?))");
        assertThat(told(reading.values())).isEqualTo("username ?1");
        assertThat(reading.unseen()).containsExactly(PHONE);
    }

    /** A scan is one state: wherever a row moves, it is in it. */
    @ParameterizedTest
    @ValueSource(strings = {"update users set id = ? where id = ?", "update users u set city = 'x', u.\"ID\" = id + 1"})
    void aRowThatMovesKeepsItsName(String sql) {
        assertThat(judge.judge(sql).unseen()).as(sql).isEmpty();
    }

    /** Names that some databases take without quotes, and brackets that others write or leave out. */
    @ParameterizedTest
    @CsvSource({"users#, name", "users, name#", "[users], [name]", "users, na@me"})
    void aNameOfOddCharactersIsNotOverlooked(String table, String column) {
        WordJudge odd = new WordJudge(
                new WatchedTables(Map.of(USERNAME, Set.of(new IdentifierColumn(table, column)))), new KnownFacts());
        for (String sql : List.of(
                "insert into TABLE (COLUMN) values (?)",
                "insert into TABLE (id, COLUMN) values (?, ?)",
                "update TABLE set COLUMN = ?",
                "update TABLE set id = 1, COLUMN = ?")) {
            for (boolean bare : List.of(false, true)) {
                String text = sql.replace("TABLE", table).replace("COLUMN", column);
                Judgement reading = odd.judge(bare ? text.replaceAll("[\\[\\]]", "") : text);
                assertThat(reading.unseen().contains(USERNAME)
                                || !reading.values().isEmpty())
                        .as(text)
                        .isTrue();
            }
        }
    }

    /** As the catalog has it, and an application may name it without quotes. */
    @Test
    void aNameWithBlanksIsFoundInQuotes() {
        for (String table :
                List.of("Order Customer", "app.Order Customer", "\"Order Customer\"", "[x].[Order Customer]")) {
            WordJudge odd = new WordJudge(
                    new WatchedTables(Map.of(USERNAME, Set.of(new IdentifierColumn(table, "user-name")))),
                    new KnownFacts());
            Judgement reading = odd.judge("insert into \"Order Customer\" (id, \"user-name\") values (?, ?)");
            assertThat(told(reading.values())).as(table).isEqualTo("username ?2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into users (phone) values (?)",
                "insert into users (phone, username) values (?, default)",
                "insert into users (phone, \"USERNAME\") values (?, ?)", // another column to some databases
            })
    void whatIsLeftToTheDatabaseIsUnseenIfTheCatalogHasADefault(String sql) {
        assertThat(judge.judge(sql).unseen()).as(sql).isEmpty();
        Judgement filled = judge(new KnownFacts().filling("username")).judge(sql);
        assertThat(filled.unseen()).as(sql).containsExactly(USERNAME);
    }

    @Test
    void whatIsGivenIsNotLeftToTheDatabase() {
        TableFacts filling = new KnownFacts().filling("username");
        assertThat(judge(filling)
                        .judge("insert into users (phone, username) values (?, ?)")
                        .unseen())
                .isEmpty();
        assertThat(judge(filling).judge("update users set city = ?").unseen()).isEmpty();
    }

    @Test
    void whatIsComputedChangesWithAnyOtherColumn() {
        TableFacts computing = new KnownFacts().computing("username");
        Judgement judgement = judge(computing).judge("update users set city = ?");
        assertThat(judgement.unseen()).containsExactly(USERNAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select username from users where username = ?",
                "delete from users where username = ?",
                "insert into session (id, username) values (?, ?)",
                "update session set username = ?",
                "update users set city = ? where username = ?",
            })
    void whatWritesNoneIsNothingToFind(String sql) {
        Judgement reading = judge.judge(sql);
        assertThat(reading.values()).as(sql).isEmpty();
        assertThat(reading.unseen()).as(sql).isEmpty();
        assertThat(reading.isNothing()).isTrue();
    }

    @Test
    void noValueStandsInWhatIsLogged() {
        assertThat(judge.judge("insert into users (username) values ('alice')"))
                .hasToString(judge.judge("insert into users (username) values ('bob')")
                        .toString())
                .asString()
                .doesNotContain("alice");
    }
}
