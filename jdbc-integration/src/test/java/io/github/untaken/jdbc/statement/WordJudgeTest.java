package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a text may write: identifiers are in account.username, account.phone and "Order Customer".username. */
class WordJudgeTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final IdentifierKind PHONE = IdentifierKind.PHONE;

    private static final WordJudge JUDGE = judge(new KnownFacts());
    private static final WordJudge WITH_DEFAULTS = judge(new KnownFacts().filling("username", "phone"));

    private static WordJudge judge(TableFacts facts) {
        return new WordJudge(
                new WatchedTables(Map.of(
                        USERNAME, Set.of(column("Account", "username"), column("\"Order Customer\"", "username")),
                        PHONE, Set.of(column("Account", "phone")))),
                facts);
    }

    private static IdentifierColumn column(String table, String name) {
        return new IdentifierColumn(table, name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from account",
                "SELECT username FROM Account WHERE username = ? FOR UPDATE",
                "select * from account for no key update",
                "select 'insert into account' from account",
                "select \"update\" from account where x = 'it''s; delete from account'",
                "select replace(username, 'a', 'b'), a.comment, a.delete from account a",
                "/* update */ select 1 from account",
                "(select username from account) union (select 1)",
                "with a as (select username from account) select * from a",
                "values (1)",
                "  \n\tselect\n*\nfrom account",
                "select * from account where username like ? escape '\\'",
                "select data #>> '{a}', case when 1 = 1 then 2 end from account",
                "update account set city = ?",
                "update account a1_0 set last_login = current_timestamp where a1_0.username = ? and phone = ?",
                "update public.\"ACCOUNT\" as a set city = replace(city, 'username = 1', 'phone')",
                "/* bulk */ update account set city = 'username = 1, phone = 2' where id in (1, 2)",
                "update account set city = ?;",
                "insert into account_audit (id, username) values (?, ?)",
                "insert into account$audit (id, username) values (?, ?)",
                "insert into audit select username, phone from account",
                "delete from session where owner in (select id from account where username = ?)",
                "delete from only session s where s.username = ?",
                "update session s set username = ? where s.account = ?",
                "update session set owner = (select id from account) where username = ?",
                "merge into session using x on (1 = 1) when matched then update set username = ?",
                "insert into log values ('account')",
                "insert into session (id) values (?) on conflict (id) do update set seen = (select 1 from account)",
                "select truncate_log from account",
                "delete from account",
                "delete from account a using session s where a.id = s.id",
                "delete a, s from account a join session s",
                "delete from session, account using session join account",
            })
    void leavesAlone(String sql) {
        assertThat(JUDGE.judge(sql).isNothing()).as(sql).isTrue();
    }

    /** Their words might do more if a database read them in another way, and nobody sends such texts all day. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1 /* insert into account */ from account -- delete from account",
                "select * from account where username like ? escape '\\' and city = 'update'",
                "update only account set version = version + 1, (a, b) = (select username, phone from account)",
                "update s set s.owner = a.id from session s join account a on s.username = a.username",
                "update session set x = 1; delete from account",
            })
    void takesCareWhereWordsAlonePermitNoMore(String sql) {
        assertThat(JUDGE.judge(sql).unseen()).as(sql).contains(USERNAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into account values (?, ?)",
                "insert into account (city) values ('x')",
                "INSERT\r\nINTO\n\tACCOUNT (id) select 1",
                "/* c */ insert /* d */ into /* e */ account -- f\n (id) values (1)",
                "insert into \"account\" (id) values (1)",
                "insert into `Account` (id) values (1)",
                "insert into [account] (id) values (1)",
                "insert into public.account (id) values (1)",
                "insert into db . \"public\" . \"Account\" (id) values (1)",
                "select 1; insert into account values (1)",
                "select * from final table (insert into account (id) values (1))",
                "select dblink_exec ('insert into account values (1)')",
                "with x as (insert into account values (1) returning id) select * from x",
                "with x as (select 1) insert into account select * from x",
                "with recursive x as (select 1) search depth first by a set b insert into account select * from x",
                "with x as materialized (delete from account returning *) insert into archive select * from x",
                "explain analyze insert into account values (1)",
                "analyze insert into account values (1)",
                "describe analyze update account a join session s on a.id = s.id set a.username = 'x'",
                "merge into account using x on (1 = 1) when matched then update set city = 1",
                "replace into account values (1)",
                "insert into session (id) values (1) returning (select 1); insert into account values (1)",
                "copy account from stdin",
                "insert all into session values (1) into account values (1) select 1",
                "insert into session with x as (delete from account returning 1) select * from x",
                "drop table account",
                "alter table staging rename to account",
                "alter schema staging rename to live",
                "DROP SCHEMA IF EXISTS live CASCADE",
                "alter database names set search_path = next, public",
                "alter role app in database names reset search_path",
                "alter domain login set default 'guest'",
                "create or replace function f() returns trigger language plpgsql as 'begin return null; end'",
                "create synonym people for staging.people",
                "create trigger t before insert on account for each row call \"x\"",
                "load data infile 'x' into table account",
                "update account a join session s on a.id = s.id set a.username = 'x'",
                "update session s, account a set a.username = 'x'",
            })
    void seesAnythingElseDoneToTheTable(String sql) {
        assertThat(WITH_DEFAULTS.judge(sql).unseen()).as(sql).containsExactlyInAnyOrder(USERNAME, PHONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update account set username = ?",
                "update account set city = 1, \"USERNAME\" = 2",
                "update account a1_0 set a1_0.username = upper(city)",
                "update account set (city, username) = (select 1, 2)",
                "update account set city = (select max(x) from y), username = 1 where id = 1",
                "UPDATE only public.Account AS a SET city = 'a''b', UserName = 'c' WHERE phone = 'd'",
                "update account set city = 'a\\', username = 'b'",
                "update account set city = 'a\\' , username = 'b', city = 'c\\''",
                "update account set city = 5--3\n, username = 1",
                "update account set city = 5--3, username = 1",
                "update account set city = 1 # x\n, username = 1",
                "update account set username = ? where phone = ?",
                "update \"Order Customer\" set username = ?",
                "update account set city = replace(city, 'x', 'y'), username = 1",
                "update a set a.username = 'x' from account a join session s on s.id = a.session",
                "update a set username = 'x' from public.account as a",
            })
    void seesAnUpdateThatSetsTheColumn(String sql) {
        assertThat(JUDGE.judge(sql).kinds()).as(sql).contains(USERNAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call sign_up(?)",
                "{call sign_up(?)}",
                "{ ? = call sign_up(?) }",
                "exec sign_up",
                "do $$ begin perform 1; end $$",
                "begin insert into other values (1); end;",
                "begin register_user('zed'); end;",
                "begin register_user; end;",
                "start register_user; commit",
                "declare x int; begin null; end;",
                "prepare p as insert into x values (1)",
                "execute p",
                "runscript from 'x'",
                "vacuum_something",
                "set statement max_statement_time = 5 for insert into account (username) values (?)",
                "set statement max_statement_time = 5 for update account set username = 'x'",
                "set statement a = 1 for execute p",
                "set statement a = 1 for rename table staging to account",
                "set statement a = (select 1 from x for update) for replace into account values (1)",
                "insert into session exec sign_up",
                "/*! insert into account values (1) */ insert into x values (1)",
                "/*M!100100 insert into account values (1) */ insert into x values (1)",
                "insert into U&\"d\\0061t\" values (1)",
                "insert into\u00a0account values (1)",
                "insert into\u3000account values (1)",
                "???",
                "\\insert",
            })
    void takesWhatItDoesNotUnderstandForTheWorst(String sql) {
        assertThat(JUDGE.judge(sql).unseen()).as(sql).containsExactlyInAnyOrder(USERNAME, PHONE);
    }

    /** However a database reads it: it names no table that is watched. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET STATEMENT a = 1, b = 'for' FOR insert into session (id) values (1)",
                "insert into x values ('unfinished",
                "update x set y = \"unfinished",
                "insert into x values (1) /* unfinished",
                "insert into x values (1) /* a /* b */ c */",
                "insert into x values (q'[a]')",
                "delete from x where 1=1union select 1",
                "insert into x values ($a$ b)",
                "insert into x values (1)\u0000",
                "set search_path to app, public",
                "set session search_path = x",
                "set schema other",
                "use other_database",
                "grant select on account to app",
                "comment on table account is 'people'",
                "analyze account",
                "select 'a' /* traced */; ",
            })
    void whatNamesNoneOrChangesNoRowsWritesNone(String sql) {
        assertThat(JUDGE.judge(sql).kinds()).as(sql).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create local temporary table ht (id bigint)",
                "drop table session",
                "truncate table session",
                "truncate table account",
                "alter sequence s restart with 1",
                "create table if not exists types (type varchar(9), role int)",
                "alter table domain add user int",
                "create index function on session (type)",
                "grant usage on schema live to app",
                "comment on schema live is 'people'",
            })
    void mistrustsWhatItKnowsOfTheTablesAfterADefinition(String sql) {
        assertThat(JUDGE.judge(sql).kinds()).as(sql).isEmpty();
        assertThat(JUDGE.judge(sql).mistrusted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit",
                "rollback",
                "savepoint x",
                "set autocommit on",
                "set local lock_timeout = 3000",
                "set statement max_statement_time = 5 for select username from account",
                "begin",
                "analyze",
                "analyze table session",
                "lock tables session write",
            })
    void whatBeginsOrEndsATransactionIsNothing(String sql) {
        assertThat(JUDGE.judge(sql).isNothing()).as(sql).isTrue();
    }

    /** As the last look has shown it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into account_view (id, login) values (?, ?)",
                "update \"ACCOUNT_VIEW\" set login = ?",
                "update ignore account_view set login = ?",
                "insert into account_p1 values (?, ?)",
                "with x as (insert into account_view values (1) returning id) select * from x",
                "merge into account_view using x on (1 = 1) when matched then update set login = ?",
                "drop view account_view",
                "update person set id = ? where id = ?",
                "select sign_up(?)",
                "select id, app.\"sign_up\"(?) from session",
                "delete from session where sign_up(x) = 1",
                "insert into session (id) values (sign_up(?))",
                "update account set city = sign_up(?)",
                "set @a = sign_up('x')",
            })
    void theCatalogKnowsMoreWordsThatStandForATable(String sql) {
        WordJudge judge = judge(new KnownFacts()
                .withViews("account_view", "account_p1")
                .withParents("Person")
                .withRoutines("sign_up"));
        assertThat(judge.judge(sql).unseen()).as(sql).contains(USERNAME);
        assertThat(judge.judge("select login from account_view, person where id = ?")
                        .isNothing())
                .isTrue();
    }

    /** A view, say, of the same name in another schema. */
    @Test
    void whereAnotherRelationBearsTheNameOfATableNothingIsCertain() {
        WordJudge judge = judge(new KnownFacts().withViews("Account"));
        assertThat(judge.judge("insert into account (username, phone) values (?, ?)")
                        .unseen())
                .contains(USERNAME, PHONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into session (id) values (1)",
                "update session set city = 1",
                "merge into session using x on (1 = 1) when matched then update set a = 1",
                "with x as (insert into session values (1) returning id) select * from x",
                "create view v as select 1",
                "insert into account (id) values (1)",
                "update account set city = ?",
            })
    void asLongAsNobodyHasLookedAnyNameMayBeOne(String sql) {
        assertThat(judge(new TableFacts() {}).judge(sql).unseen()).as(sql).containsExactlyInAnyOrder(USERNAME, PHONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1 from session",
                "delete from session",
                "set search_path to x",
                "commit",
                "truncate session"
            })
    void whatWritesNoRowIsNothingThoughNobodyHasLooked(String sql) {
        assertThat(judge(new TableFacts() {}).judge(sql).kinds()).as(sql).isEmpty();
    }

    /** Letters that become ASCII on the way up or down, names that PostgreSQL cuts, and names in escapes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into ACCOUNT (uſername) values (lower(?))",
                "update account set usernam\u00e9 = ?",
                "insert into U&\"\\0061ccount\" values (1)",
                "update account set city = ?, u\u0073\u0065rname = lower(?)",
            })
    void noOddLetterHidesAName(String sql) {
        assertThat(JUDGE.judge(sql).unseen()).as(sql).contains(USERNAME);
    }

    @Test
    void aNameOfMoreLettersThanADatabaseKeepsIsFound() {
        String name = "a".repeat(70);
        for (String written : List.of(name, name.substring(0, 63), name + "b", name.toUpperCase(Locale.ROOT))) {
            WordJudge judge = new WordJudge(
                    new WatchedTables(Map.of(USERNAME, Set.of(column(name, "username")))), new KnownFacts());
            assertThat(judge.judge("insert into " + written + " values (1)").unseen())
                    .containsExactly(USERNAME);
        }
        WordJudge judge =
                new WordJudge(new WatchedTables(Map.of(USERNAME, Set.of(column("k", "username")))), new KnownFacts());
        assertThat(judge.judge("insert into \u212a values (1)").unseen()).containsExactly(USERNAME);
    }

    @Test
    void whatFollowsAReadInTheSameTextIsSeen() {
        String sql = "set statement a = 1 for select 1; insert into account (username) values (?)";
        assertThat(JUDGE.judge(sql).kinds()).contains(USERNAME);
    }

    @Test
    void quotesAndCommentsAreReadInBothWaysThereAre() {
        for (String sql : List.of(
                "update account set city = 'a\\', username = 'b'",
                "update account set city = 'a\\' , username = 'b', city = 'c\\''",
                "update account set city = 5--3, username = 1",
                "update account set city = 5 #- 3, username = 1")) {
            assertThat(JUDGE.judge(sql).kinds()).as(sql).contains(USERNAME);
        }
    }

    @Test
    void aTableWhoseNameNeedsQuotesIsFound() {
        for (String sql : List.of(
                "insert into \"Order Customer\" (id) values (1)",
                "insert into `order customer` (id) values (1)",
                "insert into [Order Customer] (id) values (1)",
                "insert into x.\"Order Customer\" (id) values (1)")) {
            assertThat(WITH_DEFAULTS.judge(sql).unseen()).as(sql).contains(USERNAME);
        }
    }

    /** A write to the table is seen, disguised by anything that databases ignore; in quotes or a comment at the end it is none. */
    @Test
    void noDisguiseHidesAWrite() {
        long seed = Seed.of(WordJudgeTest.class, 20261122);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String write = pick(
                    random,
                    "insert into account values (1)",
                    "insert into account ( id , username ) values ( ? , ? )",
                    "update account set username = 'x'",
                    "update ignore account set username = 'x'",
                    "update low_priority account set username = 'x'",
                    "update low_priority ignore account set username = 'x'",
                    "update account set city = 1 , username = 'x' where a = b",
                    "merge into account using x on ( a = b ) when not matched then insert ( id ) values ( 1 )",
                    "with x as ( insert into account values ( 1 ) returning id ) select id from x");
            String sql = disguised(random, write);
            expect(WITH_DEFAULTS.judge(sql).kinds().contains(USERNAME), seed, sql);
            String quoted = "select '" + write.replace("'", "''") + "' from account /* " + write + " */";
            expect(JUDGE.judge(quoted).kinds().isEmpty(), seed, quoted);
        }
    }

    /** Assertions with a description are slow by the hundred thousand. */
    private static void expect(boolean claim, long seed, String sql) {
        if (!claim) {
            throw new AssertionError("seed " + seed + ": " + sql);
        }
    }

    private static String disguised(Random random, String sql) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(4) == 0) {
            text.append(pick(random, "select 1;", "update session set city = 'it''s';", "; ;", "select '--', \"'\" ;"));
        }
        for (String word : sql.split(" ")) {
            text.append(blank(random));
            boolean name = Set.of("account", "username").contains(word);
            text.append(name ? nameInDisguise(random, word) : inAnyCase(random, word));
        }
        return text.append(blank(random)).toString();
    }

    private static String nameInDisguise(Random random, String name) {
        String schema = name.equals("account") ? pick(random, "", "", "public.", "\"Public\" . ", "a.b.") : "";
        String spelled = inAnyCase(random, name);
        return schema + pick(random, spelled, '"' + spelled + '"', '`' + spelled + '`');
    }

    private static String inAnyCase(Random random, String word) {
        StringBuilder text = new StringBuilder();
        for (char c : word.toCharArray()) {
            text.append(random.nextBoolean() ? Character.toUpperCase(c) : c);
        }
        return text.toString();
    }

    private static String blank(Random random) {
        return pick(
                random,
                " ",
                "\n",
                "\r\n",
                "\t \f ",
                " /* select ' \" */ ",
                " -- it's \"\n",
                "/**/ ",
                " --\n",
                "\n-- /* \n",
                " /* -- */ ");
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    @Test
    void noJumbleBehindAWriteHidesIt() {
        long seed = Seed.of(WordJudgeTest.class, 20261122);
        Random random = new Random(seed);
        String[] pieces = {
            "'",
            "''",
            "\"",
            "`",
            "$$",
            "$a$",
            "$1",
            "a$b",
            "account$b",
            "--",
            "--\n",
            "/*",
            "*/",
            ";",
            "(",
            ")",
            ",",
            "=",
            ".",
            "\\",
            "#",
            "@",
            "select",
            "from",
            "account",
            "username",
            "set",
            "for",
            "update",
            "where",
            "1",
            "1e5",
            "0x",
            "?",
            "e'",
            "\n",
            "é",
            "\u00a0",
            "[",
            "]",
            "{",
            "}",
            ":",
            "values",
            "as",
            "with",
            "on",
            "key"
        };
        int understood = 0;
        for (int i = 0; i < 50_000; i++) {
            List<String> text = new ArrayList<>();
            for (int length = random.nextInt(12); length >= 0; length--) {
                text.add(pieces[random.nextInt(pieces.length)]);
            }
            String tail = String.join(" ", text);
            String sql = pick(
                            random,
                            "insert into account values ",
                            "update account set username = 1 ",
                            "merge into account as a ")
                    + tail;
            Judgement judgement = WITH_DEFAULTS.judge(sql);
            expect(judgement.kinds().contains(USERNAME), seed, sql);
            understood += Tokens.of(sql) == null ? 0 : 1;
            JUDGE.judge(tail);
        }
        assertThat(understood).as("texts that every database reads in one way").isGreaterThan(250);
    }

    @Test
    void longTextsTakeLinearTime() {
        for (String piece : List.of(
                "(",
                "a.",
                "/**/",
                "'' ",
                "$a$ ",
                "-- \n",
                "select (",
                "'",
                "\"a\" ",
                "insert into account,",
                "$",
                "a=b,")) {
            String text = "update account set x = 1, " + piece.repeat(100_000 / piece.length());
            Judgement judgement = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> JUDGE.judge(text));
            assertThat(judgement).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with x as (select 1) update(account) set username = 'x'",
                "analyze update(account) set username = 'x'",
                "update account set u\u00DFername = ?",
                "select csvwrite('f', 'select * from final table (insert into account (username) values (''x''))')",
                "select * from session exec('insert into account (username) values (''x'')')",
                "set nocount on exec('insert into account (username) values (''x'')')",
            })
    void isNotSureOfWhatIsWrittenInAnUnusualWay(String sql) {
        assertThat(JUDGE.judge(sql).unseen()).as(sql).contains(USERNAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update account set username = default",
                "insert into account (id, phone) values (1, ?) on conflict (id) do update set username = 'b'",
                "insert into account (id, phone) values (1, ?) on conflict (id) do update set username = excluded.username",
                "insert into account (id, phone) values (1, ?) on duplicate key update username = values(username)",
                "merge into account using (select 1 id, 'b' username) s on (account.id = s.id)"
                        + " when matched then update set username = s.username when not matched then insert (id) values (s.id)",
                "merge into account using (select 1 id, 'b' username) s on (account.id = s.id)"
                        + " when not matched and s.id = 1 then insert (username) values (s.username)"
                        + " when not matched then insert (id) values (s.id)",
            })
    void aDefaultIsWrittenThatAnotherBranchDoesNotWrite(String sql) {
        assertThat(WITH_DEFAULTS.judge(sql).unseen()).as(sql).contains(USERNAME);
        assertThat(judge(new KnownFacts().fillingWith("guest", "username"))
                        .judge(sql)
                        .values())
                .as(sql)
                .anyMatch(value -> "guest".equals(value.text()));
    }

    @Test
    void aDeletedParentMayLeaveADefaultBehind() {
        WordJudge judge = judge(new KnownFacts().withParents("people"));
        assertThat(judge.judge("delete from people where id = ?").unseen()).contains(USERNAME);
        assertThat(judge.judge("delete from account").isNothing()).isTrue();
    }
}
