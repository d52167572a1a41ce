package io.github.untaken.sample.experiment;

import io.github.untaken.filter.FilterSizing;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.reads.ProcessIo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result of an experiment for people to take away, as a JSON tree or as CSV (RFC 4180). Says what is counted. */
public final class ExperimentReport {
    private final Result result;
    private final SampleDatabase database;

    public ExperimentReport(Result result, SampleDatabase database) {
        this.result = result;
        this.database = database;
    }

    public Map<String, Object> json() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("seed", result.plan().seed());
        body.put("checks", result.plan().checks());
        body.put("mix", mix());
        body.put("users", result.plan().users());
        body.put("ready", result.ready());
        body.put("pageCacheBytes", database.pageCacheBytes());
        body.put("directReads", database.directReads());
        body.put("runs", result.runs().stream().map(this::run).toList());
        body.put("falsePositives", falsePositives());
        body.put("memory", memory());
        body.put("figures", figures());
        return body;
    }

    private Map<String, Object> mix() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("free", result.plan().mix().free());
        body.put("taken", result.plan().mix().taken());
        body.put("typed", result.plan().mix().typed());
        body.put("hot", result.plan().mix().hot());
        body.put("phones", result.plan().mix().phones());
        return body;
    }

    private Map<String, Object> run(Run run) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("mode", jsonName(run.mode()));
        body.put("databaseQueries", run.reads().databaseQueries());
        body.put("pageReads", run.reads().pageReads());
        body.put("bytesRead", run.reads().bytesRead());
        body.put("directBytesRead", run.reads().directBytes());
        body.put("nanosPerCheck", run.nanosPerCheck());
        body.put("nanosPerCheckOfRounds", run.rounds());
        body.put("otherChecks", run.otherChecks());
        Map<String, Object> classes = new LinkedHashMap<>();
        for (AnswerClass answer : AnswerClass.values()) {
            classes.put(jsonName(answer), run.count(answer));
        }
        body.put("classes", classes);
        body.put("processIo", run.processIo().map(ProcessIo::json).orElse(null));
        return body;
    }

    private Map<String, Object> falsePositives() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("freeTexts", result.falsePositives().freeTexts());
        body.put("seen", result.falsePositives().falsePositives());
        body.put("seenRate", result.falsePositives().rate());
        body.put("declaredRate", FilterSizing.CUCKOO_ERROR_RATE);
        return body;
    }

    private Map<String, Object> memory() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("registryBytes", result.registryBytes());
        body.put("registryEntries", result.registryEntries());
        body.put("hashSetBytes", hashSetBytes(result.plan().users()));
        return body;
    }

    /** Two sets of what was seeded: all names, and the numbers of every second account. */
    static long hashSetBytes(int users) {
        return HashSetMemory.bytes(users, MadeUpAccounts::username)
                + HashSetMemory.bytes((users + 1) / 2, i -> MadeUpAccounts.phone(2 * i));
    }

    private static Map<String, Object> figures() {
        Map<String, Object> body = new LinkedHashMap<>();
        for (String counted : List.of(
                "databaseQueries", "pageReads", "bytesRead", "directBytesRead", "classes", "seen", "registryBytes")) {
            body.put(counted, "counted");
        }
        body.put("processIo", "counted by the operating system, for the whole process");
        body.put("nanosPerCheck", "measured: the median of the rounds");
        body.put("declaredRate", "predicted for a full membership filter");
        body.put("hashSetBytes", "estimated: computed from object sizes of a 64-bit JVM with compressed references");
        return body;
    }

    public String csv() {
        List<String> names = new ArrayList<>(List.of(
                "seed",
                "checks",
                "users",
                "mode",
                "databaseQueries",
                "pageReads",
                "bytesRead",
                "directBytesRead",
                "nanosPerCheck",
                "otherChecks"));
        for (AnswerClass answer : AnswerClass.values()) {
            names.add(jsonName(answer));
        }
        StringBuilder csv = new StringBuilder(String.join(",", names)).append("\r\n");
        for (Run run : result.runs()) {
            List<Object> row = new ArrayList<>(List.of(
                    result.plan().seed(),
                    result.plan().checks(),
                    result.plan().users(),
                    jsonName(run.mode()),
                    run.reads().databaseQueries(),
                    run.reads().pageReads(),
                    run.reads().bytesRead(),
                    run.reads().directBytes(),
                    String.format(Locale.ROOT, "%.1f", run.nanosPerCheck()),
                    run.otherChecks()));
            for (AnswerClass answer : AnswerClass.values()) {
                row.add(run.count(answer));
            }
            csv.append(String.join(",", row.stream().map(String::valueOf).toList()))
                    .append("\r\n");
        }
        return csv.toString();
    }

    /** Such as {@code freeByFilter}. */
    public static String jsonName(Enum<?> constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}
