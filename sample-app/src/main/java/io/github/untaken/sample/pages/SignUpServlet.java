package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.sample.database.Accounts;
import io.github.untaken.sample.database.UniqueField;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /signup}: registers an account. 201, 400 with the field and the reason, or 409 with the field that somebody
 * holds. A browser that sends the form itself is answered with a page, which after a refusal is the form again with the
 * problem beside the field; everybody else with JSON.
 */
public final class SignUpServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(SignUpServlet.class.getName());

    private final transient AvailabilityChecker checker;
    private final transient Accounts accounts;
    private final transient SignUpPage page;

    public SignUpServlet(AvailabilityChecker checker, Accounts accounts, SignUpPage page) {
        this.checker = checker;
        this.accounts = accounts;
        this.page = page;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
            response.setHeader("Vary", "Accept-Language");
            Replies.html(response, 200, page.empty(PageLanguage.of(request)));
            return;
        }
        if (!request.getMethod().equals("POST")) {
            Replies.methodNotAllowed(response, "GET, HEAD, POST");
            return;
        }
        Answer answer = new Answer(request, response, page);
        try {
            Form form = Form.of(request);
            answer.typed = Optional.of(form);
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
            answer.refused(e);
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
    private static final class Answer {
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final SignUpPage page;
        private Optional<Form> typed = Optional.empty();

        Answer(HttpServletRequest request, HttpServletResponse response, SignUpPage page) {
            this.request = request;
            this.response = response;
            this.page = page;
        }

        private boolean asPage() {
            String accepted = Optional.ofNullable(request.getHeader("Accept")).orElse("");
            return accepted.contains("text/html") && !accepted.contains("application/json");
        }

        void created(String username) throws IOException {
            if (asPage()) {
                PageLanguage language = PageLanguage.of(request);
                Map<String, String> values = language.links(SignUpPage.PATH);
                values.put("registered", username);
                html(201, language.texts().page("answer.html", values));
            } else {
                Replies.json(response, 201, Map.of("username", username));
            }
        }

        void taken(String field) throws IOException {
            if (asPage()) {
                formAgain(409, field, field + ".taken");
            } else {
                Replies.problem(response, 409, "Somebody has this " + field + " already", field, "taken");
            }
        }

        void refused(BadRequestException e) throws IOException {
            if (asPage()) {
                formAgain(e.status(), e.field(), "reason." + e.reason());
            } else {
                Replies.refused(response, "This cannot be registered", e);
            }
        }

        void failed() throws IOException {
            if (asPage()) {
                formAgain(503, null, "busy");
            } else {
                Replies.busy(response);
            }
        }

        private void formAgain(int status, @Nullable String field, String text) throws IOException {
            PageLanguage language = PageLanguage.of(request);
            html(status, page.refused(language, typed, field, language.texts().text(text)));
        }

        private void html(int status, String body) throws IOException {
            response.setHeader("Vary", "Accept, Accept-Language");
            Replies.html(response, status, body);
        }
    }
}
