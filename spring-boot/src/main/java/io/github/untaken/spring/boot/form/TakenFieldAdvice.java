package io.github.untaken.spring.boot.form;

import io.github.untaken.spring.boot.IdentifierTakenException;
import java.util.List;
import java.util.Map;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Tells a {@code @RestController}'s client that somebody else was quicker, after every advice of the application. */
@RestControllerAdvice(annotations = RestController.class)
@Order(Ordered.LOWEST_PRECEDENCE)
final class TakenFieldAdvice {
    private final MessageSource messages;

    TakenFieldAdvice(MessageSource messages) {
        this.messages = messages;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> taken(IdentifierTakenException failure) {
        ProblemDetail detail = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "Somebody else was quicker.");
        List<Map<String, String>> problems = failure.fields().stream()
                .map(field -> FieldProblem.of(field, "taken", words(field)))
                .toList();
        detail.setProperty(FieldProblem.MEMBER, problems);
        return ResponseEntity.of(detail).build();
    }

    private String words(String field) {
        return messages.getMessage(
                new DefaultMessageSourceResolvable(new String[] {"taken." + field, "taken"}, "is already taken"),
                LocaleContextHolder.getLocale());
    }
}
