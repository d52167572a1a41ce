package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.figures.Events;
import io.github.untaken.sample.figures.SiteMeter;
import io.github.untaken.sample.figures.SiteMeter.Figures;
import io.github.untaken.sample.reads.FileReads;
import io.github.untaken.sample.reads.ProcessIo;
import io.github.untaken.servlet.AvailabilityServletFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /stats}: the site in figures. Most are counted, by the code that does what they count; {@code figures} names
 * the others. With {@code ?after=N} the samples of the last three minutes that come after number N are added.
 */
public final class StatsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final long NO_HISTORY = -1;

    private final transient AvailabilityChecker checker;
    private final transient AvailabilityServletFilter endpoint;
    private final transient SiteMeter meter;
    private final transient Audits audits;
    private final transient SampleDatabase database;
    private final transient Activity activity;

    /**
     * The audits of memory.
     *
     * @param rowsEach accounts each of them looks up; 0 if there are none
     * @param interval from one to the next
     */
    public record Audits(int rowsEach, Duration interval) {}

    public StatsServlet(
            AvailabilityChecker checker,
            AvailabilityServletFilter endpoint,
            SiteMeter meter,
            Audits audits,
            SampleDatabase database,
            Activity activity) {
        this.checker = checker;
        this.endpoint = endpoint;
        this.meter = meter;
        this.audits = audits;
        this.database = database;
        this.activity = activity;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            Replies.methodNotAllowed(response, "GET, HEAD");
            return;
        }
        long after;
        try {
            after = Form.ofQuery(request).number("after", NO_HISTORY, 0, Long.MAX_VALUE);
        } catch (BadRequestException e) {
            Replies.refused(response, "The request was not understood", e);
            return;
        }
        Replies.json(response, HttpServletResponse.SC_OK, body(after));
    }

    private Map<String, Object> body(long after) {
        Figures figures = meter.now();
        Map<String, Object> kinds = new TreeMap<>();
        for (IdentifierKind kind : checker.kinds()) {
            kinds.put(kind.name(), kind(kind, checker.stats(kind)));
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("checks", figures.checks().all());
        body.put("databaseQueries", figures.reads().databaseQueries());
        body.put("pageReads", figures.reads().pageReads());
        body.put("bytesRead", figures.reads().bytesRead());
        body.put("directBytesRead", figures.reads().directBytes());
        body.put("fromMemory", figures.checks().fromMemory());
        body.put("fromDatabase", figures.checks().fromDatabase());
        body.put("readsPerQuery", figures.readsPerQuery());
        body.put("readsAvoided", figures.readsAvoided());
        body.put("load", figures.memory().load());
        body.put("kinds", kinds);
        body.put("endpoint", endpoint.stats().map(EndpointFigures::json).orElse(null));
        body.put("audits", audits(figures));
        body.put("database", database());
        body.put("imported", imported(figures));
        body.put("running", activity.running());
        body.put("experimentDone", activity.experiment().last().isPresent());
        body.put(
                "events",
                activity.events().last().stream().map(Events.Event::json).toList());
        body.put("figures", kindsOfFigures());
        if (after >= 0) {
            body.put("history", activity.history().after(after));
        }
        return body;
    }

    private static Map<String, Object> kindsOfFigures() {
        Map<String, Object> body = new LinkedHashMap<>();
        for (String counted : List.of(
                "checks",
                "databaseQueries",
                "pageReads",
                "bytesRead",
                "directBytesRead",
                "fromMemory",
                "fromDatabase",
                "entries",
                "bytes",
                "open",
                "lingering",
                "told",
                "unknownImports")) {
            body.put(counted, "counted");
        }
        body.put("whitelisted", "counted by the cache, approximately");
        body.put("bitsPerKey", "computed: bytes by entries");
        body.put("load", "computed: 2 bytes for each entry by the bytes of all memory");
        body.put("falsePositives", "counted among made-up keys that audits ask for");
        body.put("endpoint", "counted; latency is measured");
        body.put("readsPerQuery", "measured: page reads by queries so far");
        body.put("readsAvoided", "estimated: fromMemory times readsPerQuery");
        body.put("secondsLeft", "estimated: at the rate so far");
        body.put("processIo", "counted by the operating system, for the whole process");
        return body;
    }

    private Map<String, Object> kind(IdentifierKind name, KindStats stats) {
        Map<String, Object> kind = new LinkedHashMap<>();
        kind.put("state", stats.state());
        kind.put("reason", stats.reason());
        kind.put("entries", stats.memory().entries());
        kind.put("bytes", stats.memory().bytes());
        kind.put("bitsPerKey", stats.memory().bitsPerKey());
        kind.put("load", SiteMeter.load(stats.memory().entries(), stats.memory().bytes()));
        Map<?, Long> decided = meter.decided(name, stats);
        kind.put("checks", decided.values().stream().mapToLong(Long::longValue).sum());
        kind.put("decidedBy", decided);
        kind.put("open", stats.underWay().open());
        kind.put("lingering", stats.underWay().lingering());
        kind.put("told", stats.memory().told());
        kind.put("renewals", stats.memory().renewals());
        kind.put("whitelisted", stats.memory().whitelisted());
        kind.put("waitingReads", stats.reads().waiting());
        kind.put("failedReads", stats.reads().failed());
        kind.put("refusedChecks", stats.answers().refused());
        kind.put("timedOutChecks", stats.answers().timedOut());
        kind.put("failedScans", stats.scans().failed());
        kind.put(
                "secondsSinceLastScan",
                stats.scans().sinceLast().map(Duration::toSeconds).orElse(null));
        kind.put("missesProved", stats.missesProved());
        kind.put("auditedRows", stats.audit().rows());
        kind.put("auditedRowsMissing", stats.audit().missing());
        kind.put("auditedFreeKeys", stats.audit().freeKeys());
        kind.put("falsePositives", stats.audit().falsePositives());
        kind.put(
                "progress", stats.scans().progress().map(StatsServlet::progress).orElse(null));
        return kind;
    }

    private Map<String, Object> audits(Figures figures) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("databaseQueries", figures.audits().reads());
        body.put("freeKeys", figures.audits().freeKeys());
        body.put("falsePositives", figures.audits().falsePositives());
        body.put("rowsEach", audits.rowsEach());
        body.put("everySeconds", audits.interval().toSeconds());
        body.put("declaredRate", FilterSizing.CUCKOO_ERROR_RATE);
        return body;
    }

    private static @Nullable Map<String, Object> progress(KindStats.Progress progress) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("rows", progress.rows());
        body.put("expectedRows", progress.expectedRows());
        body.put("rowsPerSecond", progress.rowsPerSecond());
        body.put("secondsLeft", progress.secondsLeft());
        return body;
    }

    private Map<String, Object> imported(Figures figures) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("example", activity.imported().example());
        body.put("unknown", figures.unknownImports());
        return body;
    }

    private Map<String, Object> database() {
        FileReads.Count all = FileReads.ofProcess();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("running", database.running());
        body.put("seededUsers", database.seededUsers());
        body.put("fileBytes", database.fileBytes());
        body.put("pageCacheBytes", database.pageCacheBytes());
        body.put("directReads", database.directReads());
        body.put("allPageReads", all.calls());
        body.put("allBytesRead", all.bytes());
        body.put("processIo", ProcessIo.now().map(ProcessIo::json).orElse(null));
        return body;
    }
}
