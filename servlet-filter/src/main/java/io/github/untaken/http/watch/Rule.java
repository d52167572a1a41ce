package io.github.untaken.http.watch;

import io.github.untaken.IdentifierKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests of the application may register an identifier, and where it stands in them.
 *
 * @param method of HTTP; case matters
 * @param name of the path variable or parameter
 * @param inPath whether it is a path variable; else it is a parameter
 */
public record Rule(String method, PathPattern path, IdentifierKind kind, String name, boolean inPath) {

    /** The path's variables if the rule is for this request, else empty. */
    public Optional<Map<String, String>> match(String requestMethod, String requestPath) {
        return method.equals(requestMethod) ? path.match(requestPath) : Optional.empty();
    }

    /** A text that this rule found, and what is left of it if the application trims its parameters. */
    public Set<String> forms(String text) {
        return new LinkedHashSet<>(List.of(text, text.strip(), text.trim()));
    }

    @Override
    public String toString() {
        return method + " " + path + " registers " + kind + " from " + (inPath ? "path variable " : "parameter ")
                + name;
    }
}
