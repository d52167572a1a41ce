package outside;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict.DecidedBy;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The state of the kind, how many answers came from memory and from the database, and why memory does not answer. */
@WebServlet("/figures")
public class Figures extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Inject
    transient AvailabilityChecker checker;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        KindStats stats = checker.stats(IdentifierKind.USERNAME);
        var decided = stats.answers().decided();
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter()
                .println(stats.state() + " " + decided.get(DecidedBy.FILTER) + " " + decided.get(DecidedBy.STORE) + " "
                        + stats.reason());
    }
}
