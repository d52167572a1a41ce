package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.EndpointResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Puts an answer into a response. The body goes through the output stream: a container's writer may choose another encoding. */
final class Sending {
    private Sending() {}

    /** @param withBody false for HEAD, whose headers are those of GET, including the length */
    static void all(EndpointResponse answer, HttpServletResponse response, boolean withBody) throws IOException {
        head(answer, response, true);
        if (withBody && answer.hasBody()) {
            body(answer.body(), response.getOutputStream());
        }
    }

    /** @param measured whether to send the length of the body */
    static void head(EndpointResponse answer, HttpServletResponse response, boolean measured) {
        response.setStatus(answer.status());
        answer.headers().forEach((name, value) -> {
            if (name.equals("Vary")) {
                response.addHeader(name, value);
            } else {
                response.setHeader(name, value);
            }
        });
        if (measured && answer.hasBody()) {
            response.setContentLength(answer.body().remaining());
        }
    }

    static void body(ByteBuffer bytes, ServletOutputStream out) throws IOException {
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
}
