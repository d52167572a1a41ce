package io.github.untaken.sample;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.RegistryStats;
import io.github.untaken.spi.IdentifierKind;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code GET /stats}: the site in figures. All are counted, by the code that does what they count. */
final class StatsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient AvailabilityChecker checker;
    private final transient CheckReads reads;
    private final transient CheckReads auditReads;
    private final transient SampleDatabase database;

    StatsServlet(AvailabilityChecker checker, CheckReads reads, CheckReads auditReads, SampleDatabase database) {
        this.checker = checker;
        this.reads = reads;
        this.auditReads = auditReads;
        this.database = database;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            Replies.methodNotAllowed(response, "GET, HEAD");
            return;
        }
        Map<String, Object> kinds = new TreeMap<>();
        long checks = 0;
        for (IdentifierKind kind : checker.kinds()) {
            RegistryStats stats = checker.stats(kind);
            checks += stats.checks();
            kinds.put(kind.name(), kind(stats));
        }
        CheckReads.Sum sum = reads.sum();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("checks", checks);
        body.put("databaseQueries", sum.databaseQueries());
        body.put("pageReads", sum.pageReads());
        body.put("bytesRead", sum.bytesRead());
        body.put("directBytesRead", sum.directBytes());
        body.put("figures", "counted");
        body.put("kinds", kinds);
        body.put("audits", audits());
        body.put("database", database());
        Replies.json(response, HttpServletResponse.SC_OK, body);
    }

    private static Map<String, Object> kind(RegistryStats stats) {
        Map<String, Object> kind = new LinkedHashMap<>();
        kind.put("state", stats.state());
        kind.put("reason", stats.reason());
        kind.put("entries", stats.entries());
        kind.put("bytes", stats.bytes());
        kind.put("bitsPerKey", stats.bitsPerKey());
        kind.put("checks", stats.checks());
        kind.put("decidedBy", stats.decided());
        kind.put("pending", stats.pending());
        kind.put("doubtful", stats.doubtful());
        kind.put("whitelisted", stats.whitelisted());
        kind.put("staleRemovals", stats.staleRemovals());
        kind.put("missesProved", stats.missesProved());
        kind.put("auditedRows", stats.audit().rows());
        kind.put("auditedRowsMissing", stats.audit().missing());
        kind.put("auditedFreeKeys", stats.audit().freeKeys());
        kind.put("falsePositives", stats.audit().falsePositives());
        kind.put("progress", stats.progress().map(StatsServlet::progress).orElse(null));
        return kind;
    }

    private Map<String, Object> audits() {
        CheckReads.Sum sum = auditReads.sum();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("databaseQueries", sum.databaseQueries());
        body.put("pageReads", sum.pageReads());
        body.put("bytesRead", sum.bytesRead());
        return body;
    }

    private static @Nullable Map<String, Object> progress(RegistryStats.Progress progress) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("rows", progress.rows());
        body.put("expectedRows", progress.expectedRows());
        body.put("rowsPerSecond", progress.rowsPerSecond());
        body.put("secondsLeft", progress.secondsLeft());
        return body;
    }

    private Map<String, Object> database() {
        FileReads.Count all = FileReads.ofProcess();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("seededUsers", database.seededUsers());
        body.put("fileBytes", database.fileBytes());
        body.put("pageCacheBytes", database.pageCacheBytes());
        body.put("directReads", database.directReads());
        body.put("allPageReads", all.calls());
        body.put("allBytesRead", all.bytes());
        body.put("processIo", ProcessIo.now().map(StatsServlet::processIo).orElse(null));
        return body;
    }

    /** What the operating system counted; absent where it does not. */
    static Map<String, Object> processIo(ProcessIo io) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("readCalls", io.readCalls());
        body.put("bytesRead", io.bytesRead());
        body.put("deviceBytesRead", io.deviceBytesRead());
        return body;
    }
}
