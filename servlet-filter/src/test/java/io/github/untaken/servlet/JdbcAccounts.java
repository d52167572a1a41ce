package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;

import io.github.untaken.Announcement;
import io.github.untaken.AvailabilityChecker;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.h2.api.ErrorCode;

/**
 * An application without JPA: accounts by plain JDBC. Of three kinds, by path: {@code /plain} knows nothing of the checker
 * and is watched by rules, {@code /marked} sets request attributes, {@code /told} calls the registrations itself.
 *
 * <p>POST with a form field {@code username} signs up; {@code rollback} makes it fail after the insert, {@code status}
 * chooses the answer whatever happened. The header {@code During} tells what a check says just before the insert.
 */
final class JdbcAccounts {
    private final UserTable users;
    private final AvailabilityChecker checker;

    JdbcAccounts(UserTable users, AvailabilityChecker checker) {
        this.users = users;
        this.checker = checker;
    }

    void install(ServletContext context) {
        // Tomcat reads forms as ISO-8859-1 unless told.
        context.setRequestCharacterEncoding("UTF-8");
        Container.serve(context, "/plain/*", new Accounts() {
            private static final long serialVersionUID = 1L;
        });
        Container.serve(context, "/marked/*", new Accounts() {
            private static final long serialVersionUID = 1L;

            @Override
            void signUp(HttpServletRequest request, String name) throws SQLException {
                request.setAttribute(AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username", name);
                super.signUp(request, name);
            }
        });
        Container.serve(context, "/told/*", new Accounts() {
            private static final long serialVersionUID = 1L;

            @Override
            void signUp(HttpServletRequest request, String name) throws SQLException {
                Announcement announced = checker.registrations().announce(USERNAME, name);
                try (announced) {
                    super.signUp(request, name);
                }
            }
        });
    }

    private class Accounts extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                switch (request.getMethod()) {
                    case "POST" -> post(request, response);
                    case "PATCH" -> rename(request.getPathInfo().substring(1), request.getParameter("username"));
                    case "DELETE" ->
                        response.setStatus(
                                delete(request, request.getPathInfo().substring(1)) == 1
                                        ? HttpServletResponse.SC_NO_CONTENT
                                        : HttpServletResponse.SC_NOT_FOUND);
                    default -> response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
                }
            } catch (SQLException e) {
                response.setStatus(
                        e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1
                                ? HttpServletResponse.SC_CONFLICT
                                : HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
        }

        private void post(HttpServletRequest request, HttpServletResponse response) throws SQLException {
            String name = request.getParameter("username");
            response.setHeader(
                    "During", checker.check(USERNAME, name).decidedBy().name());
            signUp(request, name);
            String status = request.getParameter("status");
            response.setStatus(status == null ? HttpServletResponse.SC_CREATED : Integer.parseInt(status));
        }

        void signUp(HttpServletRequest request, String name) throws SQLException {
            try (Connection connection = users.connect()) {
                connection.setAutoCommit(false);
                UserTable.insert(connection, name);
                if (request.getParameter("rollback") == null) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        }

        int delete(HttpServletRequest request, String name) throws SQLException {
            return users.delete(name);
        }

        private void rename(String from, String to) throws SQLException {
            try (Connection connection = users.connect();
                    PreparedStatement statement =
                            connection.prepareStatement("update users set name = ? where name = ?")) {
                statement.setString(1, to);
                statement.setString(2, from);
                statement.executeUpdate();
            }
        }
    }
}
