package io.github.untaken.servlet.exchange;

import io.github.untaken.http.exchange.AvailabilityRequest;
import io.github.untaken.http.spi.CheckBody;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bodies that cannot be read without waiting, or that somebody else has read. The container's parameters stand in for a form; JSON, which
 * no container makes into parameters, is waited for. Logs once that this is so. Thread-safe.
 */
public final class ContainerBodies {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final AtomicBoolean told = new AtomicBoolean();

    /** The body, or why there is none. May wait for it on this thread, as containers do for a form. */
    CheckBody of(HttpServletRequest request) {
        CheckBody body =
                AvailabilityRequest.isJson(request.getHeader("Content-Type")) ? awaited(request) : parameters(request);
        if (isSomething(body) && told.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "The availability endpoint takes form bodies from the container's parameters, and waits for JSON,"
                            + " since asynchronous support is off for a filter or servlet, or a filter in front has read the"
                            + " body. A thread may wait for a slow body. Map the availability filter first, with"
                            + " asynchronous support");
        }
        return body;
    }

    private static boolean isSomething(CheckBody body) {
        return body instanceof CheckBody.Bytes bytes && bytes.length() > 0
                || body instanceof CheckBody.Decoded decoded
                        && !decoded.fields().isEmpty();
    }

    private static CheckBody parameters(HttpServletRequest request) {
        try {
            String encoding = request.getCharacterEncoding();
            request.setCharacterEncoding("UTF-8"); // too late if they are decoded already
            Map<String, List<String>> fields = new LinkedHashMap<>();
            for (String name : Collections.list(request.getParameterNames())) {
                fields.put(name, List.of(request.getParameterValues(name)));
            }
            return CheckBody.decoded(fields, encoding);
        } catch (UnsupportedEncodingException | RuntimeException e) {
            return CheckBody.MALFORMED; // containers throw this at parameters that they cannot decode
        }
    }

    private static CheckBody awaited(HttpServletRequest request) {
        BodyBytes body = new BodyBytes(request);
        try {
            ServletInputStream in = request.getInputStream();
            while (body.read(in)) {
                // There is more.
            }
        } catch (IOException | RuntimeException e) {
            return CheckBody.UNREADABLE; // somebody has read it, or the client has gone
        }
        return body.isEmpty() && request.getContentLengthLong() > 0 ? CheckBody.UNREADABLE : body.body();
    }
}
