package io.github.untaken.spring.boot.form;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.HandlerMethodValidationException;

/** Tells a {@code @RestController}'s client which fields {@code @Available} has refused, after every advice of the application. */
@RestControllerAdvice(annotations = RestController.class)
@Order(Ordered.LOWEST_PRECEDENCE)
final class RefusedFieldAdvice {

    /** A failure that does not concern us is thrown again, and so goes where it would have gone without this advice. */
    @ExceptionHandler({MethodArgumentNotValidException.class, HandlerMethodValidationException.class})
    ResponseEntity<ProblemDetail> refused(Exception failure) throws Exception {
        ProblemDetail detail = RefusedFields.addedTo(failure);
        if (detail == null) {
            throw failure;
        }
        return ResponseEntity.of(detail).build();
    }
}
