package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.watch.PathPattern;
import io.github.untaken.http.watch.Rule;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a request of the application that may register an identifier, and where the identifier stands in it. For applications that can
 * neither use the JPA integration nor call the checker's registrations themselves.
 *
 * <pre>{@code
 * WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("username")
 * WatchRule.on("PUT", "/accounts/{username}").registers(USERNAME).fromPath("username")
 * }</pre>
 *
 * <p>The database is asked about the identifier from the moment it is seen until the request is over. Then one read decides. The status of
 * the response does not, since it can be wrong in both directions. The identifier is seen:
 *
 * <ul>
 *   <li>in the path and in the query string: before the application runs;
 *   <li>in a form body: when the application first asks the request for its parameters or parts. The body is not read for this. An
 *       application that reads the body as a stream, or whose body is JSON, is not covered: set the request attribute
 *       {@code AvailabilityServletFilter.REGISTERED_ATTRIBUTE} there.
 * </ul>
 *
 * <p>The text counts as sent and also without surrounding blanks. An application that stores it changed in another way sets the request
 * attribute.
 *
 * <p>Watched by the servlet filter; other front ends refuse settings with rules.
 *
 * <p>What is committed after the request is over is outside a rule's scope: keep an {@link io.github.untaken.Announcement} open until the
 * commit instead. Immutable.
 */
public final class WatchRule {

    private static final Pattern FORM = Pattern.compile(
            "(\\S+)\\s+(\\S+)\\s+registers\\s+(\\S+)\\s+from\\s+(parameter|path\\s+variable)\\s+(\\S+)");

    private final Rule rule;

    private WatchRule(Rule rule) {
        this.rule = rule;
    }

    /**
     * Reads a rule as {@link #toString} writes it, such as {@code POST /signup registers username from parameter name} or {@code PUT
     * /accounts/{name} registers username from path variable name}.
     *
     * @throws IllegalArgumentException if it has another form, or a part of it is not what {@link #on} and the steps after it accept
     */
    public static WatchRule parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("a watch rule must read like 'POST /signup registers username from"
                    + " parameter name' or 'PUT /accounts/{name} registers username from path variable name', but was"
                    + " '" + text + "'");
        }
        On on = on(parts.group(1), parts.group(2));
        Subject subject = on.registers(IdentifierKind.of(parts.group(3)));
        return parts.group(4).equals("parameter")
                ? subject.fromParameter(parts.group(5))
                : subject.fromPath(parts.group(5));
    }

    /**
     * Begins a rule.
     *
     * @param method the HTTP method, such as {@code POST}; case matters
     * @param path within the application, compared after decoding: {@code /signup}, {@code /accounts/{username}} or {@code /admin/*}
     * @throws IllegalArgumentException if the method is empty or the path has none of these forms
     */
    public static On on(String method, String path) {
        if (method.isEmpty()) {
            throw new IllegalArgumentException("method must not be empty");
        }
        return new On(method, PathPattern.of(path));
    }

    /** A rule that knows which requests it is for, but not yet what they do. */
    public static final class On {
        private final String method;
        private final PathPattern path;

        private On(String method, PathPattern path) {
            this.method = method;
            this.path = path;
        }

        /** These requests may register an identifier of this kind. */
        public Subject registers(IdentifierKind kind) {
            return new Subject(this, kind);
        }
    }

    /** A rule that lacks only the place of the identifier. */
    public static final class Subject {
        private final On on;
        private final IdentifierKind kind;

        private Subject(On on, IdentifierKind kind) {
            this.on = on;
            this.kind = kind;
        }

        /**
         * It is a parameter of the query string or of the form body. Every value of it counts, up to 64 for all rules in one request. An
         * endpoint that registers more tells the checker's registrations itself.
         */
        public WatchRule fromParameter(String name) {
            return new WatchRule(new Rule(on.method, on.path, kind, name, false));
        }

        /**
         * It is a variable of the path.
         *
         * @throws IllegalArgumentException if the path has no such variable
         */
        public WatchRule fromPath(String variable) {
            if (!on.path.hasVariable(variable)) {
                throw new IllegalArgumentException("path '" + on.path + "' has no variable {" + variable + "}");
            }
            return new WatchRule(new Rule(on.method, on.path, kind, variable, true));
        }
    }

    /** As the filter sees it. */
    @SuppressWarnings("exports") // the servlet filter sees that package
    public Rule rule() {
        return rule;
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return rule.toString();
    }
}
