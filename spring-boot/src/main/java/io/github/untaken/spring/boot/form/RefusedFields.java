package io.github.untaken.spring.boot.form;

import io.github.untaken.validation.Available;
import jakarta.validation.ConstraintViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.ProblemDetail;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;

/**
 * The fields that {@code @Available} has refused, in the problem detail of the failure. Other constraints are not named: that is up
 * to the application.
 */
final class RefusedFields {
    private static final String OUR_MESSAGES = "{" + Available.class.getName() + ".";

    private RefusedFields() {}

    /** Adds them to the failure's own problem detail; null if the failure is none of ours. */
    static @Nullable ProblemDetail addedTo(Exception failure) {
        List<Map<String, String>> problems = new ArrayList<>();
        ProblemDetail detail;
        if (failure instanceof MethodArgumentNotValidException e) {
            detail = e.getBody();
            e.getFieldErrors().forEach(error -> add(problems, error.getField(), error, violation(error)));
        } else if (failure instanceof HandlerMethodValidationException e && !e.isForReturnValue()) {
            detail = e.getBody();
            e.getParameterValidationResults().forEach(result -> add(problems, result));
        } else {
            return null;
        }
        if (problems.isEmpty()) {
            return null;
        }
        detail.setProperty(FieldProblem.MEMBER, problems);
        return detail;
    }

    private static void add(List<Map<String, String>> problems, ParameterValidationResult result) {
        for (MessageSourceResolvable error : result.getResolvableErrors()) {
            if (error instanceof FieldError field) {
                add(problems, field.getField(), error, violation(field));
            } else {
                String name = result.getMethodParameter().getParameterName();
                add(problems, name == null ? "" : name, error, violation(result, error));
            }
        }
    }

    private static @Nullable ConstraintViolation<?> violation(FieldError error) {
        return error.contains(ConstraintViolation.class) ? error.unwrap(ConstraintViolation.class) : null;
    }

    /** Null if there is none, as for errors of a whole form or of the application itself. There is no way to ask beforehand. */
    private static @Nullable ConstraintViolation<?> violation(
            ParameterValidationResult result, MessageSourceResolvable error) {
        try {
            return result.unwrap(error, ConstraintViolation.class);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static void add(
            List<Map<String, String>> problems,
            String field,
            MessageSourceResolvable error,
            @Nullable ConstraintViolation<?> violation) {
        if (violation != null && violation.getConstraintDescriptor().getAnnotation() instanceof Available) {
            problems.add(FieldProblem.of(field, reason(violation.getMessageTemplate()), error.getDefaultMessage()));
        }
    }

    /** The last word of our message's key; null if the application has one message of its own for all three. */
    private static @Nullable String reason(String template) {
        return template.startsWith(OUR_MESSAGES)
                ? template.substring(OUR_MESSAGES.length(), template.length() - 1)
                : null;
    }
}
