package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One site for all tests; each uses names of its own. */
class SignUpSiteTest {
    private static final int MANY = 500;

    /** For names that the filter takes for members by accident, and for what earlier tests still have to settle. */
    private static final int QUERIES_ALLOWED = 10;

    @TempDir
    private static Path data;

    private static SignUpSite site;
    private static Client client;

    @BeforeAll
    static void start() throws Exception {
        site = Sites.start(data, "--audit-rows", "0"); // whose reads no test is to take for those of its checks
        client = new Client(site.address());
        Sites.awaitReady(client);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @Test
    void answersFreeNamesWithoutTheDatabase() {
        long before = queries();
        for (int i = 0; i < MANY; i++) {
            assertThat(client.check(MadeUpAccounts.username(Sites.USERS + i))).isEqualTo("available");
        }
        assertThat(queries() - before).isLessThanOrEqualTo(QUERIES_ALLOWED);
    }

    @Test
    void answersFreePhonesWithoutTheDatabase() {
        long before = queries();
        for (int i = 0; i < MANY; i++) {
            assertThat(client.checkPhone(MadeUpAccounts.phone(Sites.USERS + i))).isEqualTo("available");
        }
        assertThat(queries() - before).isLessThanOrEqualTo(QUERIES_ALLOWED);
    }

    @Test
    void knowsEverySeededAccount() {
        for (int i = 0; i < Sites.USERS; i += 7) {
            assertThat(client.check(MadeUpAccounts.username(i))).isEqualTo("taken");
            String phone = MadeUpAccounts.hasPhone(i) ? "taken" : "available";
            assertThat(client.checkPhone(MadeUpAccounts.phone(i))).isEqualTo(phone);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Lin.Example", "lin.example", "LIN.EXAMPLE", "\uff2cin.\uff25xample"})
    void aRegisteredNameIsTakenInEveryForm(String form) {
        client.signUp("lin.example");
        assertThat(client.check(form)).isEqualTo("taken");
        assertThat(client.signUp(form).status()).isEqualTo(409);
    }

    @Test
    void composedAndDecomposedLettersAreOneName() {
        assertThat(client.signUp("ren\u00e9e.example").status()).isEqualTo(201);
        assertThat(client.check("Rene\u0301e.Example")).isEqualTo("taken");
        assertThat(client.signUp("RENE\u0301E.example").status()).isEqualTo(409);
    }

    @Test
    void registersAndAnswersTheNormalForm() {
        Reply reply = client.signUp("Otto.Example");
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.body()).isEqualTo("{\"username\":\"otto.example\"}");
        assertThat(client.check("otto.example")).isEqualTo("taken");
    }

    @Test
    void namesTheFieldThatSomebodyHolds() {
        assertThat(client.signUp("first.holder", "13800138001").status()).isEqualTo(201);
        Reply sameName = client.signUp("first.holder", "13800138002");
        assertThat(sameName.status()).isEqualTo(409);
        assertThat(sameName.type()).startsWith("application/problem+json");
        assertThat(sameName.member("field")).isEqualTo("username");
        Reply samePhone = client.signUp("second.holder", "+86 138-0013-8001");
        assertThat(samePhone.status()).isEqualTo(409);
        assertThat(samePhone.member("field")).isEqualTo("phone");
    }

    @Test
    void theConstraintIsNamedByTheDatabaseAndNotByTheValue() {
        assertThat(client.signUp("uq_account_phone").status()).isEqualTo(201);
        assertThat(client.signUp("uq_account_phone").member("field")).isEqualTo("username");
    }

    @Test
    void aSignUpThatWasRolledBackLeavesItsNameFree() {
        client.signUp("phone.holder", "13800138003");
        assertThat(client.signUp("rolled.back", "13800138003").status()).isEqualTo(409);
        assertThat(client.check("rolled.back")).isEqualTo("available");
        assertThat(client.signUp("rolled.back").status()).isEqualTo(201);
    }

    @Test
    void renamingFreesTheOldNameAndTakesTheNew() {
        client.signUp("old.name");
        Reply reply = client.rename("Old.Name", "New.Name");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.member("username")).isEqualTo("new.name");
        assertThat(client.check("old.name")).isEqualTo("available");
        assertThat(client.check("new.name")).isEqualTo("taken");
        assertThat(client.rename("old.name", "other.name").status()).isEqualTo(404);
        assertThat(client.rename("new.name", MadeUpAccounts.username(0)).status())
                .isEqualTo(409);
        assertThat(client.check("new.name")).isEqualTo("taken");
        assertThat(client.rename("new.name", "a b").status()).isEqualTo(400);
    }

    @Test
    void deletingFreesNameAndPhone() {
        client.signUp("to.delete", "13800138004");
        assertThat(client.checkPhone("138 0013 8004")).isEqualTo("taken");
        assertThat(client.delete("To.Delete").status()).isEqualTo(204);
        assertThat(client.check("to.delete")).isEqualTo("available");
        assertThat(client.checkPhone("13800138004")).isEqualTo("available");
        assertThat(client.delete("to.delete").status()).isEqualTo(404);
        assertThat(client.signUp("to.delete", "13800138004").status()).isEqualTo(201);
    }

    @Test
    void ofTwoSignUpsInARaceOneWins() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 50; round++) {
                String name = "racer." + round;
                String phone = String.valueOf(15800138000L + round);
                assertThat(together(threads, () -> client.signUp(name))).containsExactlyInAnyOrder(201, 409);
                assertThat(client.check(name)).isEqualTo("taken");
                SplittableRandom names = new SplittableRandom(round);
                List<String> free = List.of("left." + names.nextInt(1_000_000), "right." + names.nextInt(1_000_000));
                List<String> pending = new ArrayList<>(free);
                assertThat(together(threads, () -> {
                            String mine;
                            synchronized (pending) {
                                mine = pending.remove(0);
                            }
                            return client.signUp(mine, phone);
                        }))
                        .containsExactlyInAnyOrder(201, 409);
                assertThat(free.stream().map(client::check)).containsExactlyInAnyOrder("taken", "available");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Integer> together(ExecutorService threads, Callable<Reply> call) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (Future<Reply> reply : threads.invokeAll(List.of(call, call))) {
            statuses.add(reply.get().status());
        }
        return statuses;
    }

    @Test
    void chineseNamesComeBackIntact() {
        Reply reply = client.signUp("\u5f20\u4f1f2026");
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.member("username")).isEqualTo("\u5f20\u4f1f2026");
        Reply check = client.get("/availability?username=" + Client.coded("\u5f20\u4f1f2026"));
        assertThat(check.member("value")).isEqualTo("\u5f20\u4f1f2026");
        assertThat(check.member("status")).isEqualTo("taken");
        assertThat(client.delete("\u5f20\u4f1f2026").status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "username=",
                "phone=13800138000",
                "username=one&username=two",
                "username=%zz",
                "username=%4",
                "username=%",
                "username=%00abc",
                "username=%ff%fe",
                "username=%ed%a0%80",
                "username=%c0%af",
                "username=admin",
                "username=a%20b%20c",
                "username=fine.name&phone=12",
                "username=fine.name&phone=%zz"
            })
    void refusesWhatItCannotRegisterWithTheReason(String form) throws Exception {
        String answer = client.raw("POST /signup", form);
        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json", "\"field\":", "\"reason\":");
        assertThat(client.check("fine.name")).isEqualTo("available");
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-7", "x-nonexistent", "'", "a b", "GBK", "\"\"", ""})
    void aCharsetThatNobodyKnowsIsTheClientsFault(String charset) throws Exception {
        String type = "application/x-www-form-urlencoded; charset=" + charset;
        for (String action : List.of("POST /signup", "PATCH /accounts/nobody", "POST /experiment")) {
            String answer = client.raw(action, "localhost", type, "username=charset.name&checks=x");
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"reason\":\"not_utf8\"");
        }
        assertThat(client.check("charset.name")).isEqualTo("available");
    }

    @Test
    void utf8MayBeSaid() throws Exception {
        for (String charset : List.of("utf-8", "UTF-8", "\"utf-8\"")) {
            String type = "application/x-www-form-urlencoded;charset=" + charset;
            assertThat(client.raw("POST /signup", "localhost", type, "username=no%20name"))
                    .contains("illegal_character");
        }
    }

    /** A page of another site whose name was made to lead to this machine has that name in its requests. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1"
            })
    void aRequestToAnotherHostChangesNothing(String host) throws Exception {
        String type = "application/x-www-form-urlencoded";
        for (String action : List.of(
                "POST /signup",
                "POST /actions/stop",
                "DELETE /accounts/" + MadeUpAccounts.username(0),
                "PATCH /accounts/" + MadeUpAccounts.username(0),
                "POST /experiment",
                "DELETE /experiment")) {
            assertThat(client.raw(action, host, type, "username=rebound.name"))
                    .as(action)
                    .startsWith("HTTP/1.1 421 ");
        }
        assertThat(client.raw("GET /stats", host, type, "")).startsWith("HTTP/1.1 200 ");
        assertThat(client.check("rebound.name")).isEqualTo("available");
        assertThat(client.check(MadeUpAccounts.username(0))).isEqualTo("taken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:1", "LocalHost", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1"})
    void thisMachineHasSeveralNames(String host) throws Exception {
        assertThat(client.raw("POST /actions/nothing", host, "application/x-www-form-urlencoded", ""))
                .startsWith("HTTP/1.1 404 ");
    }

    @Test
    void refusesTenThousandCharacters() throws Exception {
        String longName = "a".repeat(10_000);
        assertThat(client.raw("POST /signup", "username=" + longName)).startsWith("HTTP/1.1 400 ");
        assertThat(client.raw("DELETE /accounts/" + longName, "")).startsWith("HTTP/1.1 4");
        assertThat(client.raw("GET /availability?username=" + longName, "")).startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "username=", "username=a&username=b", "username=%zz", "username=%00", "username=%ed%a0%80"})
    void theEndpointRefusesBadInput(String query) throws IOException {
        assertThat(client.raw("GET /availability?" + query, ""))
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE /availability?username=abc",
                "PUT /signup",
                "DELETE /race",
                "POST /stats",
                "PUT /experiment",
                "POST /experiment/result.json",
                "GET /accounts/abc",
                "POST /",
                "POST /dashboard"
            })
    void refusesOtherMethods(String requestLine) throws IOException {
        assertThat(client.raw(requestLine, "")).startsWith("HTTP/1.1 405 ").contains("Allow: ");
    }

    @Test
    void refusesWritesFromOtherSites() {
        Reply reply = client.post("/signup", "username=cross.site", "Sec-Fetch-Site", "cross-site");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(client.check("cross.site")).isEqualTo("available");
    }

    @Test
    void answersBrowsersWithoutScriptByAPage() {
        String[] browser = {"Accept", "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language", "zh-CN,zh;q=0.9"};
        Reply created = client.post("/signup", "username=no.script&phone=", browser);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.type()).startsWith("text/html");
        assertThat(created.body()).contains("no.script", "lang=\"zh\"", "\u6b22\u8fce");
        assertThat(client.post("/signup", "username=no.script", browser).status())
                .isEqualTo(409);
        Reply refused = client.post("/signup", "username=%3Cscript%3E&phone=13800138009", browser);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .contains("value=\"&lt;script&gt;\" aria-invalid=\"true\"", "value=\"13800138009\"")
                .doesNotContain("<script>")
                .doesNotContain("{{");
        Reply unreadable = client.post("/signup", "username=%ff&phone=13800138009", browser);
        assertThat(unreadable.status()).isEqualTo(400);
        assertThat(unreadable.body()).contains("value=\"\" aria-invalid=\"true\"");
    }

    @ParameterizedTest
    @CsvSource({
        "/, en, en",
        "/, 'zh-CN,en;q=0.5', zh",
        "/?lang=zh, en, zh",
        "/?lang=en, zh, en",
        "/?lang=fr, zh, zh",
        "/?lang=, zh, zh",
        "/?lang=zh&lang=en, en, en",
        "/?lang=ZH, fr, en",
        "/signup?lang=zh, en, zh",
        "/dashboard, zh, zh",
        "/dashboard?lang=en, zh, en",
        "/dashboard?lang=%zz, zh, zh",
    })
    void speaksTheLanguageOfItsAddressOrElseThatOfTheBrowser(String address, String browser, String language) {
        Reply page = client.get(address.replace("%zz", "%25zz"), "Accept-Language", browser);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("<html lang=\"" + language + "\">");
    }

    @Test
    void aLanguageIsOneLinkAwayAndKeptOnceItIsChosen() {
        String plain = client.get("/signup", "Accept-Language", "zh").body();
        assertThat(plain)
                .contains("href=\"/signup?lang=en\" lang=\"en\" hreflang=\"en\" aria-current=\"false\"")
                .contains("href=\"/signup?lang=zh\" lang=\"zh\" hreflang=\"zh\" aria-current=\"true\"")
                .contains("href=\"/dashboard\"", "action=\"/signup\"");
        String chosen = client.get("/signup?from=a%22mail&lang=en&x", "Accept-Language", "zh")
                .body();
        assertThat(chosen)
                .contains("href=\"/signup?from=a%22mail&amp;x&amp;lang=zh\"", "href=\"/dashboard?lang=en\"")
                .contains("action=\"/signup?lang=en\"");
        assertThat(client.get("/dashboard?lang=zh").body())
                .contains(
                        "href=\"/signup?lang=zh\"",
                        "href=\"/dashboard?lang=en\"",
                        "aria-current=\"true\">\u4e2d\u6587</a>");
        String[] browser = {"Accept", "text/html", "Accept-Language", "zh"};
        assertThat(client.post("/signup?lang=en", "username=%21", browser).body())
                .contains("<html lang=\"en\">", "href=\"/signup?lang=zh\"", "action=\"/signup?lang=en\"");
        assertThat(client.post("/signup?lang=en", "username=chosen.language", browser)
                        .body())
                .contains("Welcome", "href=\"/signup?lang=en\"");
    }

    @Test
    void servesItsPagesUnderAStrictPolicy() throws IOException {
        for (String path : List.of("/", "/signup", "/dashboard")) {
            String page = client.raw("GET " + path, "");
            assertThat(page)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Security-Policy: default-src 'none'; script-src 'self'")
                    .contains("role=\"status\"")
                    .doesNotContain("{{")
                    .doesNotContain("style=")
                    .doesNotContainPattern("<script(?! src=)");
        }
        for (String path : List.of(
                "/style.css",
                "/race.css",
                "/race.js",
                "/race-drawing.js",
                "/trace.js",
                "/signup.js",
                "/dashboard.js",
                "/icon.svg")) {
            assertThat(client.get(path).status()).isEqualTo(200);
        }
        assertThat(client.get("/dashboard").body()).contains("1 MB");
        assertThat(client.get("/nothing").status()).isEqualTo(404);
    }

    @Test
    void reportsItsRegistries() {
        Reply stats = client.get("/stats");
        assertThat(stats.type()).isEqualTo("application/json");
        assertThat(stats.body())
                .contains(
                        "\"checks\":",
                        "\"databaseQueries\":",
                        "\"pageReads\":",
                        "\"kinds\":{\"phone\":{\"state\":\"READY\"");
        assertThat(Double.parseDouble(stats.member("bitsPerKey"))).isPositive();
        assertThat(stats.number("bytes")).isPositive();
    }

    @Test
    void anExperimentAnswersAlikeInEveryModeAndReadsLessWithTheFilter() {
        Reply reply = client.post("/experiment", "seed=7&checks=2000");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.number("seed")).isEqualTo(7);
        assertThat(reply.member("ready")).isEqualTo("true");
        String[] runs = reply.body().split("\"mode\":", -1);
        assertThat(runs).hasSize(4);
        Reply off = new Reply(200, "", runs[1]);
        assertThat(runs[1]).startsWith("\"noFilter\"");
        assertThat(off.number("databaseQueries")).isEqualTo(2_000 - off.number("refused"));
        assertThat(off.number("recheckFound") + off.number("recheckFoundNothing") + off.number("refused"))
                .isEqualTo(2_000);
        for (Reply on : List.of(new Reply(200, "", runs[2]), new Reply(200, "", runs[3]))) {
            assertThat(on.number("recheckFound")).isEqualTo(off.number("recheckFound"));
            assertThat(on.number("refused")).isEqualTo(off.number("refused"));
            assertThat(on.number("freeByFilter") + on.number("freeByWhitelist") + on.number("recheckFoundNothing"))
                    .isEqualTo(off.number("recheckFoundNothing"));
            assertThat(on.number("databaseQueries"))
                    .isEqualTo(on.number("recheckFound") + on.number("recheckFoundNothing"));
            assertThat(on.number("recheckFoundNothing")).isLessThanOrEqualTo(50); // one false positive, typed often
        }
        assertThat(new Reply(200, "", runs[2]).number("freeByWhitelist")).isZero();
        for (int i = 1; i < runs.length; i++) {
            List<Double> rounds = Pattern.compile(",")
                    .splitAsStream(runs[i].replaceAll("(?s).*\"nanosPerCheckOfRounds\":\\[([^]]*)].*", "$1"))
                    .map(Double::valueOf)
                    .sorted()
                    .toList();
            assertThat(rounds).hasSize(9);
            assertThat(Double.parseDouble(new Reply(200, "", runs[i]).member("nanosPerCheck")))
                    .isEqualTo(rounds.get(4));
        }
        assertThat(reply.number("registryBytes")).isPositive().isLessThan(reply.number("hashSetBytes"));
        assertThat(reply.body()).contains("\"databaseQueries\":\"counted\"", "\"hashSetBytes\":\"estimated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "checks=0",
                "checks=many",
                "free=-1",
                "phones=101",
                "free=0&taken=0&typed=0&hot=0&phones=0",
                "seed=1&seed=2"
            })
    void refusesAnExperimentItDoesNotUnderstand(String form) {
        assertThat(client.post("/experiment", form).status()).isEqualTo(400);
    }

    @Test
    void theMixOfAnExperimentIsAdjustable() {
        Reply taken = client.post("/experiment", "seed=1&checks=500&free=0&taken=0&typed=0&hot=1&phones=0");
        assertThat(taken.number("recheckFound")).isEqualTo(500);
        Reply free = client.post("/experiment", "seed=1&checks=500&free=1&taken=0&typed=0&hot=0&phones=0");
        assertThat(free.number("recheckFoundNothing")).isEqualTo(500);
    }

    @Test
    void theLastResultCanBeTakenAway() {
        Reply run = client.post("/experiment", "seed=3&checks=300");
        assertThat(client.get("/experiment/result.json").body()).isEqualTo(run.body());
        Reply csv = client.get("/experiment/result.csv");
        assertThat(csv.type()).startsWith("text/csv");
        List<String> lines = csv.body().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("seed,checks,users,mode,databaseQueries,");
        String queries = run.body().split("\"databaseQueries\":", 2)[1].split(",", 2)[0];
        assertThat(lines.get(1)).startsWith("3,300," + Sites.USERS + ",noFilter," + queries + ",");
        for (String line : lines) {
            assertThat(line.split(",", -1)).hasSameSizeAs(lines.get(0).split(",", -1));
        }
        assertThat(client.get("/experiment/result.xml").status()).isEqualTo(404);
    }

    @Test
    void anExperimentRunsAloneTellsHowFarItIsAndCanBeCancelled() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<Reply> run = threads.submit(() -> client.post("/experiment", "seed=1&checks=1000000"));
            Eventually.holds("progress", () -> client.get("/experiment").body().contains("\"running\":true"));
            Reply progress = client.get("/experiment");
            assertThat(progress.member("mode")).isEqualTo("noFilter");
            assertThat(progress.number("total")).isEqualTo(3_000_000);
            Reply second = client.post("/experiment", "seed=1&checks=10");
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.member("reason")).isEqualTo("running");
            assertThat(client.withForm("DELETE", "/experiment", "").status()).isEqualTo(204);
            Reply cancelled = run.get(20, TimeUnit.SECONDS);
            assertThat(cancelled.status()).isEqualTo(409);
            assertThat(cancelled.member("reason")).isEqualTo("cancelled");
            assertThat(client.get("/experiment").body()).isEqualTo("{\"running\":false}");
            assertThat(client.withForm("DELETE", "/experiment", "").status()).isEqualTo(404);
            assertThat(client.post("/experiment", "seed=1&checks=10").status()).isEqualTo(200);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void experimentsRepeatBySeed() {
        Reply first = client.post("/experiment?seed=11&checks=300", "");
        Reply second = client.post("/experiment?seed=11&checks=300", "");
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.number("recheckFound")).isEqualTo(first.number("recheckFound"));
        assertThat(second.number("refused")).isEqualTo(first.number("refused"));
    }

    @Test
    void statsTellWhatTheEndpointDid() {
        String before = endpoint();
        client.check("nobody.counts");
        assertThat(client.get("/availability?username=").status()).isEqualTo(400);
        // A response is counted when it has been written.
        Eventually.holds(
                "both are counted",
                () -> counted("\"200\":", endpoint()) > counted("\"200\":", before)
                        && counted("\"400\":", endpoint()) > counted("\"400\":", before));
        assertThat(endpoint())
                .contains("\"answers\":{", "\"username\":{", "\"available\":", "\"empty\":", "\"faults\":")
                .contains("\"meanMicros\":", "\"longestMicros\":", "\"upToMicros\":100,", "\"forwardedByStrangers\":0")
                .doesNotContain("nobody.counts");
    }

    private static String endpoint() {
        String stats = client.get("/stats").body();
        return stats.substring(stats.indexOf("\"endpoint\":"), stats.indexOf("\"audits\":"));
    }

    private static long counted(String member, String json) {
        int at = json.indexOf(member);
        return at < 0 ? 0 : Long.parseLong(json.substring(at + member.length()).split("[,}]")[0]);
    }

    private static long queries() {
        return client.get("/stats").number("databaseQueries");
    }
}
