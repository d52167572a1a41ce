package io.github.untaken.sample;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Sends an answer once the page has written all of it, so that no thread waits for a client, however slowly it reads. Each write
 * is reported as done at once. No answer of this site is too long to be kept until then.
 */
final class WholeAnswers extends Handler.Wrapper {

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Kept kept = new Kept(request, response);
        return super.handle(request, kept, Callback.from(() -> kept.send(callback), callback::failed));
    }

    private static final class Kept extends Response.Wrapper {
        private ByteArrayOutputStream body = new ByteArrayOutputStream();

        private Kept(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            if (BufferUtil.hasContent(content)) {
                body.writeBytes(BufferUtil.toArray(content));
                BufferUtil.clear(content);
            }
            callback.succeeded();
        }

        @Override
        public void reset() {
            body = new ByteArrayOutputStream();
            super.reset();
        }

        private void send(Callback callback) {
            getWrapped().write(true, ByteBuffer.wrap(body.toByteArray()), callback);
        }
    }
}
