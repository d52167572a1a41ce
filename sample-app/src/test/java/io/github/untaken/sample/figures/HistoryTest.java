package io.github.untaken.sample.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client;
import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.SignUpSite;
import io.github.untaken.sample.Sites;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    private static final Pattern SAMPLE =
            Pattern.compile("\\[(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),[^\\]]*\\]");

    @TempDir
    private Path data;

    private record Sample(long number, long checks, long fromMemory, long fromDatabase, long queries) {}

    @Test
    void keepsSamplesOfTheFiguresAndGivesThoseAfterANumber() throws Exception {
        try (SignUpSite site = Sites.start(data, "--audit-rows", "0")) {
            Client client = new Client(site.address());
            Sites.awaitReady(client);
            for (int i = 0; i < 40; i++) {
                client.check(MadeUpAccounts.username(i));
                client.check("free.in.history." + i);
                client.check("!");
            }
            Eventually.holds("a sample of all", () -> last(client).checks() == 120);
            Sample last = last(client);
            assertThat(last.fromMemory() + last.fromDatabase()).isEqualTo(80);
            assertThat(last.fromMemory()).isBetween(38L, 40L); // a free name or two may be a false positive
            assertThat(last.queries()).isEqualTo(last.fromDatabase());
            List<Sample> all = samples(client.get("/stats?after=0"));
            assertThat(all).extracting(Sample::number).isSorted().startsWith(1L);
            assertThat(samples(client.get("/stats?after=" + (last.number() - 1)))
                            .get(0))
                    .isEqualTo(last);
            assertThat(client.get("/stats?after=1000000").body()).contains("\"samples\":[]");
            assertThat(client.get("/stats").body()).doesNotContain("\"history\"");
            assertThat(client.get("/stats?after=x").status()).isEqualTo(400);
            Reply stats = client.get("/stats");
            double factor = Double.parseDouble(stats.member("readsPerQuery"));
            assertThat(factor).isEqualTo((double) stats.number("pageReads") / stats.number("databaseQueries"));
            assertThat(Double.parseDouble(stats.member("readsAvoided"))).isEqualTo(last.fromMemory() * factor);
            assertThat(stats.body()).contains("\"readsAvoided\":\"estimated: ");
            Map<String, String> columns = newest(client.get("/stats?after=0"));
            double load = 2 * Double.parseDouble(columns.get("entries")) / Double.parseDouble(columns.get("bytes"));
            assertThat(load).isBetween(0.01, 1.0);
            assertThat(Double.parseDouble(columns.get("load"))).isEqualTo(load);
            assertThat(Double.parseDouble(stats.member("load"))).isEqualTo(load);
        }
    }

    private static Sample last(Client client) {
        List<Sample> all = samples(client.get("/stats?after=0"));
        return all.isEmpty() ? new Sample(0, 0, 0, 0, 0) : all.get(all.size() - 1);
    }

    private static List<Sample> samples(Reply reply) {
        Matcher found = SAMPLE.matcher(reply.body().substring(reply.body().indexOf("\"history\"")));
        List<Sample> samples = new ArrayList<>();
        while (found.find()) {
            samples.add(new Sample(
                    number(found, 1), number(found, 3), number(found, 4), number(found, 5), number(found, 6)));
        }
        return samples;
    }

    /** The last sample by the names of its columns. */
    private static Map<String, String> newest(Reply reply) {
        String history = reply.body().substring(reply.body().indexOf("\"history\""));
        String[] names = history.replaceFirst("(?s).*\"columns\":\\[([^\\]]*)\\].*", "$1")
                .replace("\"", "")
                .split(",");
        String[] values =
                history.replaceFirst("(?s).*\\[([^\\]]+)\\]\\].*", "$1").split(",");
        assertThat(values).hasSameSizeAs(names);
        Map<String, String> columns = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            columns.put(names[i], values[i]);
        }
        return columns;
    }

    private static long number(Matcher found, int group) {
        return Long.parseLong(found.group(group));
    }
}
