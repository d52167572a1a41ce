package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.sample.database.Accounts;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * {@code /accounts/{username}}: {@code PATCH} with a form field {@code username} renames it, {@code DELETE} deletes it. A
 * real site would ask who is asking; this one belongs to whoever can reach it.
 */
public final class AccountServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(AccountServlet.class.getName());

    public static final String PATH = "/accounts/";

    private final transient AvailabilityChecker checker;
    private final transient Accounts accounts;

    public AccountServlet(AvailabilityChecker checker, Accounts accounts) {
        this.checker = checker;
        this.accounts = accounts;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            switch (request.getMethod()) {
                case "PATCH" -> rename(request, response);
                case "DELETE" -> delete(request, response);
                default -> Replies.methodNotAllowed(response, "PATCH, DELETE");
            }
        } catch (BadRequestException e) {
            Replies.refused(response, "The request was not understood", e);
        } catch (RuntimeException e) {
            // By class only: messages of drivers hold values.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A change failed: {0}",
                    e.getClass().getName());
            Replies.busy(response);
        }
    }

    private void rename(HttpServletRequest request, HttpServletResponse response)
            throws IOException, BadRequestException {
        String username = addressed(request);
        Typed wanted =
                Typed.of(checker, IdentifierKind.USERNAME, Form.of(request).required("username"));
        Accounts.Change change = accounts.rename(username, wanted.key(), wanted.displayName());
        if (change.taken().isPresent()) {
            String field = change.taken().get().field();
            Replies.problem(response, 409, "Somebody has this " + field + " already", field, "taken");
        } else if (change.found()) {
            Replies.json(response, 200, Map.of("username", wanted.key()));
        } else {
            notFound(response);
        }
    }

    private void delete(HttpServletRequest request, HttpServletResponse response)
            throws IOException, BadRequestException {
        if (accounts.delete(addressed(request))) {
            response.setStatus(204);
        } else {
            notFound(response);
        }
    }

    // The raw path: the container's decoding is not strict.
    private String addressed(HttpServletRequest request) throws BadRequestException {
        String path = request.getRequestURI();
        int parameters = path.indexOf(';');
        String encoded = path.substring(PATH.length(), parameters < 0 ? path.length() : parameters);
        String text = Form.decoded("username", encoded, false);
        if (text.isEmpty()) {
            throw new BadRequestException("username", "missing");
        }
        return checker.key(IdentifierKind.USERNAME, text);
    }

    private static void notFound(HttpServletResponse response) throws IOException {
        Replies.problem(response, 404, "There is no such account", "username", "not_found");
    }
}
