package io.github.untaken.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What well-known applications send: how much of it is unseen, and so costs a scan. Their statements are given by their shapes, as the
 * drivers get them; how often each comes in a normal day is a guess, on the high side.
 */
class ApplicationsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final IdentifierKind PHONE = IdentifierKind.PHONE;
    private static final IdentifierKind EMAIL = IdentifierKind.EMAIL;

    private record Application(
            String name, Map<IdentifierKind, Set<IdentifierColumn>> columns, TableFacts facts, List<Sent> sent) {

        Judgement judge(String sql) {
            return new WordJudge(new WatchedTables(columns), facts).judge(sql);
        }

        long unseen() {
            return sent.stream()
                    .filter(each -> !judge(each.sql()).unseen().isEmpty())
                    .count();
        }

        double unseenInAnHour() {
            return sent.stream()
                            .filter(each -> !judge(each.sql()).unseen().isEmpty())
                            .mapToInt(Sent::inADay)
                            .sum()
                    / 24.0;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private record Sent(int inADay, String sql) {}

    private static Sent sent(int inADay, String sql) {
        return new Sent(inADay, sql);
    }

    private static Map<IdentifierKind, Set<IdentifierColumn>> columns(
            String table, Map<IdentifierKind, String> columns) {
        Map<IdentifierKind, Set<IdentifierColumn>> all = new HashMap<>();
        columns.forEach((kind, column) -> all.put(kind, Set.of(new IdentifierColumn(table, column))));
        return all;
    }

    /** Hibernate over H2 or MySQL; a telephone number is what comes nearest to an identifier. */
    private static Application petClinic() {
        return new Application(
                "Spring PetClinic",
                columns("owners", Map.of(PHONE, "telephone")),
                new KnownFacts(),
                List.of(
                        sent(
                                5_000,
                                "select o1_0.id,o1_0.address,o1_0.city,o1_0.first_name,o1_0.last_name,p1_0.owner_id,p1_0.id"
                                        + ",o1_0.telephone from owners o1_0 left join pets p1_0 on o1_0.id=p1_0.owner_id where o1_0.id=?"),
                        sent(
                                5_000,
                                "select o1_0.id,o1_0.last_name,o1_0.telephone from owners o1_0 where o1_0.last_name like ?"
                                        + " escape '\\' offset ? rows fetch first ? rows only"),
                        sent(
                                5_000,
                                "select count(o1_0.id) from owners o1_0 where o1_0.last_name like replace(?,'\\\\','\\\\\\\\')"
                                        + " escape '\\'"),
                        sent(
                                300,
                                "insert into owners (address,city,first_name,last_name,telephone,id)"
                                        + " values (?,?,?,?,?,default)"),
                        sent(300, "update owners set address=?,city=?,first_name=?,last_name=?,telephone=? where id=?"),
                        sent(300, "insert into pets (birth_date,name,type_id,id) values (?,?,?,default)"),
                        sent(300, "update pets set owner_id=? where id=?"),
                        sent(900, "insert into visits (visit_date,description,id) values (?,?,default)"),
                        sent(900, "update visits set pet_id=? where id=?"),
                        sent(
                                9_000,
                                "select v1_0.id,v1_0.first_name,s1_0.vet_id from vets v1_0 left join vet_specialties s1_0"
                                        + " on v1_0.id=s1_0.vet_id"),
                        sent(9_000, "select pt1_0.id,pt1_0.name from types pt1_0 order by pt1_0.name")));
    }

    /** MyBatis: names and e-mail addresses of users who sign up by themselves. */
    private static Application realWorld() {
        return new Application(
                "RealWorld",
                columns("users", Map.of(USERNAME, "username", EMAIL, "email")),
                new KnownFacts(),
                List.of(
                        sent(
                                2_000,
                                "insert into users (id, username, email, password, bio, image) values(\n ?,\n ?,\n ?,\n ?,\n ?,\n ?\n)"),
                        sent(500, "update users\n SET username = ?,\n email = ?,\n bio = ?\n where id = ?"),
                        sent(500, "update users\n SET password = ?\n where id = ?"),
                        sent(500, "update users SET bio = ?, image = ? where id = ?"),
                        sent(90_000, "select id, username, email, password, bio, image from users where email = ?"),
                        sent(90_000, "select * from users where username = ?"),
                        sent(3_000, "insert into follows(user_id, follow_id) values (?, ?)"),
                        sent(1_000, "delete from follows where user_id = ? and follow_id = ?"),
                        sent(
                                1_000,
                                "insert into articles(id, slug, title, description, body, user_id, created_at, updated_at)"
                                        + " values(?, ?, ?, ?, ?, ?, ?, ?)"),
                        sent(3_000, "insert into article_tags (article_id, tag_id) values(?, ?)"),
                        sent(
                                90_000,
                                "select A.id articleId, U.username userUsername, U.bio userBio from articles A"
                                        + " left join article_tags AT on A.id = AT.article_id left join users U on U.id = A.user_id"
                                        + " where A.id in (?, ?, ?) order by A.created_at desc"),
                        sent(
                                9_000,
                                "select count(1) from article_favorites af join users u on u.id = af.user_id"
                                        + " where af.article_id = ?"),
                        sent(500, "delete from articles where id = ?")));
    }

    /** MyBatis over MySQL; there an e-mail address and a number that are left out are an empty text. */
    private static Application ruoYi() {
        String user = "select u.user_id, u.dept_id, u.user_name, u.phonenumber, u.email, d.dept_name, r.role_key"
                + " from sys_user u left join sys_dept d on u.dept_id = d.dept_id"
                + " left join sys_user_role ur on u.user_id = ur.user_id left join sys_role r on r.role_id = ur.role_id ";
        return new Application(
                "RuoYi",
                columns("sys_user", Map.of(USERNAME, "user_name", PHONE, "phonenumber", EMAIL, "email")),
                new KnownFacts().fillingWith("", "phonenumber", "email"),
                List.of(
                        sent(20_000, user + "where u.user_name = ? and u.del_flag = '0'"),
                        sent(
                                20_000,
                                user + "where u.del_flag = '0' AND u.user_name like concat('%', ?, '%')"
                                        + " AND date_format(u.create_time,'%Y%m%d') >= date_format(?,'%Y%m%d') LIMIT ?"),
                        sent(
                                20_000,
                                "SELECT count(0) FROM sys_user u WHERE u.del_flag = '0' AND (u.dept_id = ? OR u.dept_id IN"
                                        + " (SELECT t.dept_id FROM sys_dept t WHERE find_in_set(?, ancestors)))"),
                        sent(
                                100,
                                "select user_id, phonenumber from sys_user where phonenumber = ? and del_flag = '0' limit 1"),
                        sent(
                                200,
                                "insert into sys_user( user_name, nick_name, password, pwd_update_date, create_time )"
                                        + "values( ?, ?, ?, ?, sysdate() )"),
                        sent(
                                50,
                                "insert into sys_user( dept_id, user_name, nick_name, email, phonenumber, sex, password, status,"
                                        + " create_by, create_time )values( ?, ?, ?, ?, ?, ?, ?, ?, ?, sysdate() )"),
                        sent(
                                100,
                                "update sys_user SET dept_id = ?, nick_name = ?, email = ?, phonenumber = ?, sex = ?, status = ?,"
                                        + " update_by = ?, update_time = sysdate() where user_id = ?"),
                        sent(20_000, "update sys_user set login_ip = ?, login_date = ? where user_id = ?"),
                        sent(
                                100,
                                "update sys_user set pwd_update_date = sysdate(), password = ?, update_time = sysdate()"
                                        + " where user_id = ?"),
                        sent(50, "update sys_user set del_flag = '2' where user_id in ( ? , ? )"),
                        sent(
                                20_000,
                                "insert into sys_logininfor (user_name, status, ipaddr, login_location, browser, os, msg,"
                                        + " login_time) values (?, ?, ?, ?, ?, ?, ?, sysdate())"),
                        sent(
                                20_000,
                                "insert into sys_oper_log(title, business_type, method, request_method, operator_type, oper_name,"
                                        + " dept_name, oper_url, oper_ip, oper_param, json_result, status, error_msg, cost_time, oper_time)"
                                        + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, sysdate())"),
                        sent(100, "insert into sys_user_role(user_id, role_id) values (?,?) , (?,?)"),
                        sent(100, "delete from sys_user_role where user_id=?"),
                        sent(
                                10,
                                "update sys_dept set ancestors = case dept_id when ? then ? when ? then ? end"
                                        + " where dept_id in ( ? , ? )"),
                        sent(1, "truncate table sys_logininfor")));
    }

    /** MyBatis over MySQL: many clocks and logs, few users. */
    private static Application xxlJob() {
        return new Application(
                "xxl-job",
                columns("xxl_job_user", Map.of(USERNAME, "username")),
                new KnownFacts(),
                List.of(
                        sent(17_280, "select * from xxl_job_lock where lock_name = 'schedule_lock' for update"),
                        sent(
                                86_400,
                                "SELECT t.id, t.job_group, t.job_cron FROM xxl_job_info AS t WHERE t.trigger_status = 1"
                                        + " and t.trigger_next_time <= ? ORDER BY id ASC LIMIT ?"),
                        sent(
                                86_400,
                                "UPDATE xxl_job_info SET trigger_last_time = ?, trigger_next_time = ?, trigger_status = ?"
                                        + " WHERE id = ?"),
                        sent(
                                86_400,
                                "INSERT INTO xxl_job_log ( `job_group`, `job_id`, `trigger_time`, `trigger_code`, `handle_code` )"
                                        + " VALUES ( ?, ?, ?, ?, ? );"),
                        sent(
                                86_400,
                                "UPDATE xxl_job_log SET `handle_time`= ?, `handle_code`= ?, `handle_msg`= ? WHERE `id`= ?"),
                        sent(
                                9_000,
                                "UPDATE xxl_job_registry SET `update_time` = ? WHERE `registry_group` = ? AND `registry_key` = ?"),
                        sent(
                                9_000,
                                "INSERT INTO xxl_job_registry( `registry_group` , `registry_key` , `registry_value`, `update_time`)"
                                        + " VALUES( ? , ? , ?, ?) ON DUPLICATE KEY UPDATE `update_time` = ?"),
                        sent(9_000, "SELECT t.id, t.username, t.token FROM xxl_job_user AS t WHERE t.id = ?"),
                        sent(
                                500,
                                "SELECT count(1) FROM xxl_job_user AS t WHERE t.username like CONCAT(CONCAT('%', ?), '%')"),
                        sent(500, "UPDATE xxl_job_user SET token = ? WHERE id = ?"),
                        sent(
                                5,
                                "INSERT INTO xxl_job_user ( username, password, role, permission ) VALUES ( ?, ?, ?, ? );"),
                        sent(5, "UPDATE xxl_job_user SET password = ?, role = ?, permission = ? WHERE id = ?"),
                        sent(5, "DELETE FROM xxl_job_user WHERE id = ?"),
                        sent(24, "delete from xxl_job_log WHERE id in ( ? , ? , ? )")));
    }

    /** Hibernate over PostgreSQL or MySQL, comments of Hibernate and of a tracer included. */
    private static Application jHipster() {
        return new Application(
                "JHipster",
                columns("jhi_user", Map.of(USERNAME, "login", EMAIL, "email")),
                new KnownFacts(),
                List.of(
                        sent(
                                90_000,
                                "select u1_0.id,u1_0.activated,u1_0.email,a1_0.user_id,a1_1.name,u1_0.login from jhi_user u1_0"
                                        + " left join jhi_user_authority a1_0 on u1_0.id=a1_0.user_id left join jhi_authority a1_1"
                                        + " on a1_1.name=a1_0.authority_name where u1_0.login=?"),
                        sent(
                                20_000,
                                "/* select generatedAlias0 from User as generatedAlias0 */ select u1_0.id from jhi_user u1_0"
                                        + " where lower(u1_0.email)=? /*traceparent='00-5bd66ef5095369c7b0d1f8f4bd33716a-c532cb4098ac3dd2-01'*/"),
                        sent(20_000, "select nextval('sequence_generator')"),
                        sent(
                                2_000,
                                "insert into jhi_user (activated,activation_key,created_by,created_date,email,first_name,image_url,"
                                        + "lang_key,last_modified_by,last_modified_date,last_name,login,password_hash,reset_date,reset_key,id)"
                                        + " values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
                        sent(2_000, "insert into jhi_user_authority (user_id,authority_name) values (?,?)"),
                        sent(
                                5_000,
                                "update jhi_user set activated=?,activation_key=?,email=?,first_name=?,image_url=?,lang_key=?,"
                                        + "last_modified_by=?,last_modified_date=?,last_name=?,login=?,password_hash=?,reset_date=?,"
                                        + "reset_key=? where id=?"),
                        sent(100, "delete from jhi_user_authority where user_id=?"),
                        sent(100, "delete from jhi_user where id=?"),
                        sent(
                                500,
                                "select u1_0.id from jhi_user u1_0 where not(u1_0.activated) and u1_0.activation_key is not null"
                                        + " and u1_0.created_date<?")));
    }

    static Stream<Application> applications() {
        return Stream.of(petClinic(), realWorld(), ruoYi(), xxlJob(), jHipster());
    }

    /** As docs/jdbc.md has it: none of these statements is unseen. */
    @ParameterizedTest
    @MethodSource("applications")
    void fewerThanOneStatementAnHourIsUnseen(Application application) {
        assertThat(application.unseen()).isZero();
        assertThat(application.unseenInAnHour()).isLessThan(1);
    }

    @Test
    void theirNamesAreTold() {
        assertThat(applications()
                        .flatMap(each -> each.sent().stream()
                                .filter(sent -> !each.judge(sent.sql()).values().isEmpty())))
                .hasSize(10);
    }

    /** What pools, frameworks and people send all day, and what must not cost memory. */
    @ParameterizedTest
    @MethodSource
    void whatIsSentAllDayIsNothing(String sql) {
        assertThat(realWorld().judge(sql).isNothing()).as(sql).isTrue();
    }

    static Stream<String> whatIsSentAllDayIsNothing() {
        return Stream.of(
                "select id from users where lower(replace(username, '.', '')) = ?",
                "select insert(username, 1, 2, 'x') from users",
                "select truncate(score, 2), left(username, 3) from users",
                "with u as (select replace(username, '-', '') n from users) select n from u where n = ?",
                "select username from users where id = ? for update",
                "select username from users where id = ? for no key update skip locked",
                "select * from users where bio = 'please insert into users, or update'",
                "select u.update, u.\"delete\" from users u",
                "set search_path to tenant_1, public",
                "set schema 'tenant_1'",
                "use tenant_1",
                "set names utf8mb4",
                "SET time_zone = '+00:00'",
                "set time zone 'UTC'",
                "set statement_timeout = 5000",
                "SET SESSION statement_timeout TO '5s'",
                "set session transaction read only",
                "SET character_set_results = NULL, sql_mode=concat(@@sql_mode,',STRICT_TRANS_TABLES')",
                "set @a = 1",
                "select 1",
                "select 1 from dual",
                "values 1",
                "show transaction isolation level",
                "show create table users",
                "LISTEN users",
                "NOTIFY users, 'x'",
                "begin",
                "start transaction isolation level read committed, read only",
                "commit",
                "rollback to savepoint a",
                "release savepoint a",
                "lock table users in share mode",
                "analyze users",
                "vacuum users",
                "explain select * from users",
                "update users set last_login = ? where username = ?",
                "update users set seen = now(), prefs = prefs || ?::jsonb where id = any(?::bigint[])",
                "select * from users where id in (" + "?,".repeat(40_000) + "?)",
                "update users set last_login = now() where id = (select user_id from sessions where id = ?)",
                "insert into users (id, bio) values (?, ?)",
                "insert into sessions (id, username) values (?, ?)",
                "insert into audit select id, username from users where id = ?",
                "insert into orders (id, owner) values (?, (select id from users where username = ?)) on conflict (id) do update set n = 1",
                "update orders set owner = (select id from users where username = ?) where id = ?",
                "delete from users where username = ?",
                "delete from sessions where owner in (select id from users where email = ? for update)");
    }
}
