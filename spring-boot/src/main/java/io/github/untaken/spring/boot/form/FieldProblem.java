package io.github.untaken.spring.boot.form;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a problem detail says of one field: why it is refused, as a code and in words. Nothing that was typed. */
final class FieldProblem {
    /** As the example of RFC 9457 calls it. */
    static final String MEMBER = "errors";

    private FieldProblem() {}

    /** As members of an object. */
    static Map<String, String> of(String field, @Nullable String reason, @Nullable String words) {
        Map<String, String> problem = new LinkedHashMap<>();
        problem.put("field", field);
        if (reason != null) {
            problem.put("reason", reason);
        }
        if (words != null) {
            problem.put("detail", words);
        }
        return problem;
    }
}
