package io.github.untaken.benchmarks.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * The echo servlet and, before it answers, a look into the unique index: one prepared statement, a connection from a pool, on
 * the thread of the request, and nothing else. No endpoint that reads each time can do with less.
 */
class DatabaseServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient DataSource pool;
    private final transient LongAdder reads = new LongAdder();

    DatabaseServlet(DataSource pool) {
        this.pool = pool;
    }

    long reads() {
        return reads.sum();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String name = request.getParameter("username");
        EchoServlet.answer(name, !exists(name), response);
    }

    private boolean exists(String name) throws ServletException {
        reads.increment();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1 from Person where username = ?")) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }
}
