package outside;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLIntegrityConstraintViolationException;

/** POST makes an account, DELETE removes it, and GET says what the application itself thinks of the name. */
@WebServlet("/signup")
public class SignUp extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Inject
    transient Accounts accounts;

    @Inject
    transient Names names;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(names.mayRegister(request.getParameter("username")) ? 200 : 409);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(added(request.getParameter("username")) ? 201 : 409);
    }

    private boolean added(String name) {
        try {
            accounts.add(name);
            return true;
        } catch (RuntimeException e) {
            // Each server and provider wraps it in exceptions of its own.
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLIntegrityConstraintViolationException) {
                    return false;
                }
            }
            throw e;
        }
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(accounts.remove(request.getParameter("username")) == 1 ? 204 : 404);
    }
}
