package io.github.untaken.benchmarks.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads the parameter and writes the JSON of a free name: what no endpoint in this server can do without. */
class EchoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request.getParameter("username"), true, response);
    }

    static void answer(String name, boolean available, HttpServletResponse response) throws IOException {
        byte[] body = ("{\"field\":\"username\",\"value\":\"" + name + "\",\"status\":\""
                        + (available ? "available" : "taken") + "\",\"available\":" + available + "}")
                .getBytes(StandardCharsets.UTF_8);
        response.setContentType("application/json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
