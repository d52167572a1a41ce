package io.github.untaken.sample.reads;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Locale;

/**
 * Adds to each answer of the endpoint what it cost: {@code Server-Timing: check;dur=0.042}, in milliseconds from the request's
 * arrival at this filter to the first byte of the answer, and {@code Check-Reads: queries=1, unfinished=0, reads=2, bytes=8192}.
 * Both are for a demonstration: how long a check took tells a stranger how it was answered.
 */
public final class CheckTraceFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    public static final String READS = "Check-Reads";

    private final transient CheckTraces traces;

    public CheckTraceFilter(CheckTraces traces) {
        this.traces = traces;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long begun = System.nanoTime();
        chain.doFilter(request, new HttpServletResponseWrapper(response) {
            // The endpoint asks for the stream on the thread that made the check, and after it.
            @Override
            public ServletOutputStream getOutputStream() throws IOException {
                CheckTrace.Sum sum = traces.take(begun);
                double millis = (System.nanoTime() - begun) / 1e6;
                setHeader("Server-Timing", String.format(Locale.ROOT, "check;dur=%.3f", millis));
                setHeader(
                        READS,
                        "queries=" + sum.queries() + ", unfinished=" + sum.unfinished() + ", reads=" + sum.pageReads()
                                + ", bytes=" + sum.bytes());
                return super.getOutputStream();
            }
        });
    }
}
