package io.github.untaken.validation;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import java.util.Optional;
import java.util.function.Supplier;

/** Asks the checker. Thread-safe once initialised; may wait for the store for the recheck timeout of the checker. */
public final class AvailableValidator implements ConstraintValidator<Available, CharSequence> {
    static final String TAKEN = "{io.github.untaken.validation.Available.taken}";
    private static final String RESERVED = "{io.github.untaken.validation.Available.reserved}";
    private static final String INVALID = "{io.github.untaken.validation.Available.invalid}";

    private final Supplier<Optional<AvailabilityChecker>> checker;
    private IdentifierKind kind = IdentifierKind.USERNAME;
    private boolean ownMessage;

    /** For a provider that was given no checker: the first text to be validated throws. */
    public AvailableValidator() {
        this(() -> {
            throw new IllegalStateException("@Available has no checker: bootstrap the validator with"
                    + " constraintValidatorFactory(new AvailableValidatorFactory(...))");
        });
    }

    /** @param checker asked at each validation; where there is none every text passes, and the database decides */
    public AvailableValidator(Supplier<Optional<AvailabilityChecker>> checker) {
        this.checker = checker;
    }

    @Override
    public void initialize(Available annotation) {
        kind = IdentifierKind.of(annotation.value());
        ownMessage = !annotation.message().equals(TAKEN);
    }

    @Override
    public boolean isValid(CharSequence text, ConstraintValidatorContext context) {
        Optional<AvailabilityChecker> asked = text == null ? Optional.empty() : checker.get();
        if (asked.isEmpty()) {
            return true;
        }
        return switch (asked.get().check(kind, text.toString()).status()) {
            case AVAILABLE, UNKNOWN -> true;
            case TAKEN -> false;
            case RESERVED -> refused(context, RESERVED);
            case INVALID -> refused(context, INVALID);
        };
    }

    private boolean refused(ConstraintValidatorContext context, String message) {
        if (!ownMessage) {
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate(message).addConstraintViolation();
        }
        return false;
    }
}
