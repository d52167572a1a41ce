package io.github.untaken.sample;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spi.IdentifierKind;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /signup}: registers an account. 201, 400 with the field and the reason, or 409 with the field that somebody
 * holds. A browser that sends the form itself is answered with a page, everybody else with JSON.
 */
final class SignUpServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(SignUpServlet.class.getName());

    private final transient AvailabilityChecker checker;
    private final transient Accounts accounts;

    SignUpServlet(AvailabilityChecker checker, Accounts accounts) {
        this.checker = checker;
        this.accounts = accounts;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("POST")) {
            Replies.methodNotAllowed(response, "POST");
            return;
        }
        Answer answer = new Answer(request, response);
        try {
            Form form = Form.of(request);
            Typed username = Typed.of(checker, IdentifierKind.USERNAME, form.required("username"));
            Optional<String> phoneTyped = form.optional("phone");
            @Nullable String phone = phoneTyped.isEmpty()
                    ? null
                    : Typed.of(checker, IdentifierKind.PHONE, phoneTyped.get()).key();
            Optional<UniqueField> taken = accounts.register(username.key(), username.displayName(), phone);
            if (taken.isEmpty()) {
                answer.created(username.key());
            } else {
                answer.taken(taken.get().field());
            }
        } catch (BadRequestException e) {
            answer.refused(e.field(), e.reason());
        } catch (RuntimeException e) {
            // By class only: messages of drivers hold values.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A sign-up failed: {0}",
                    e.getClass().getName());
            answer.failed();
        }
    }

    /** The answer in the form the client wants. */
    private record Answer(HttpServletRequest request, HttpServletResponse response) {

        private boolean asPage() {
            String accepted = Optional.ofNullable(request.getHeader("Accept")).orElse("");
            return accepted.contains("text/html") && !accepted.contains("application/json");
        }

        void created(String username) throws IOException {
            if (asPage()) {
                page(201, "welcome", "welcome.text", username);
            } else {
                Replies.json(response, 201, Map.of("username", username));
            }
        }

        void taken(String field) throws IOException {
            if (asPage()) {
                page(409, "sorry", field + ".taken", "");
            } else {
                Replies.problem(response, 409, "Somebody has this " + field + " already", field, "taken");
            }
        }

        void refused(String field, String reason) throws IOException {
            if (asPage()) {
                page(400, "sorry", "reason." + reason, "");
            } else {
                Replies.problem(response, 400, "This cannot be registered", field, reason);
            }
        }

        void failed() throws IOException {
            if (asPage()) {
                page(503, "sorry", "busy", "");
            } else {
                Replies.busy(response);
            }
        }

        private void page(int status, String heading, String text, String username) throws IOException {
            Texts texts = Texts.of(request);
            response.setHeader("Vary", "Accept, Accept-Language");
            Replies.html(
                    response,
                    status,
                    texts.page(
                            "answer.html",
                            Map.of(
                                    "heading", texts.text(heading),
                                    "explanation", texts.text(text),
                                    "registered", username)));
        }
    }
}
