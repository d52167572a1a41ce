package io.github.untaken.sample;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.pathmap.PathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;

/**
 * Asks the pages once a body is there, so that no thread waits for a client, however slowly it sends. What has not come in some
 * seconds cannot be read any more. A body that is longer than any form is handed on as far as it has come.
 */
final class WholeForms extends EagerContentHandler {
    private static final long MOST_BYTES = 8 * 1024 + 1;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** @param path whose owner reads bodies as they come, by itself */
    WholeForms(String path) {
        super(new RetainedContentLoaderFactory(MOST_BYTES, 0, false));
        exclude(PathSpec.from(path));
    }

    @Override
    protected boolean onConditionsMet(Request request, Response response, Callback callback) throws Exception {
        return super.onConditionsMet(new InTime(request), response, callback);
    }

    private static final class InTime extends Request.Wrapper {
        private InTime(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk == null || chunk.isLast()) {
                return chunk;
            }
            if (Content.Chunk.isFailure(chunk)) { // idle for too long, upon which it could still go on
                return Content.Chunk.from(chunk.getFailure(), true);
            }
            // Copied, since a single byte would keep the whole buffer in which it came.
            Content.Chunk copy = Content.Chunk.from(BufferUtil.copy(chunk.getByteBuffer()), false);
            chunk.release();
            return NanoTime.since(getHeadersNanoTime()) < PATIENCE_NANOS
                    ? copy
                    : Content.Chunk.from(new TimeoutException("the form came too slowly"));
        }
    }
}
