package io.github.untaken.spring.boot.library;

import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a library brings along: an advice without an order. By its name it comes after ours, and Spring Boot sorts by names. */
@AutoConfiguration
public final class AnswersAutoConfiguration {

    @Bean
    Answers answers() {
        return new Answers();
    }

    @RestControllerAdvice
    static final class Answers {
        @ExceptionHandler
        @ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
        Map<String, String> invalid(MethodArgumentNotValidException e) {
            return Map.of("library", "invalid");
        }
    }
}
