package io.github.untaken.validation;

import io.github.untaken.AvailabilityChecker;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorFactory;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives {@link Available} its checker, and leaves all other constraints to another factory.
 *
 * <pre>{@code
 * Configuration<?> configuration = Validation.byDefaultProvider().configure();
 * configuration.constraintValidatorFactory(new AvailableValidatorFactory(
 *         () -> Optional.of(checker), configuration.getDefaultConstraintValidatorFactory()));
 * }</pre>
 *
 * <p>Thread-safe if the other factory is.
 */
public final class AvailableValidatorFactory implements ConstraintValidatorFactory {
    private final Supplier<Optional<AvailabilityChecker>> checker;
    private final ConstraintValidatorFactory others;

    /**
     * @param checker asked at each validation; where there is none every text passes, and the database decides
     * @param others makes the validators of all other constraints
     */
    public AvailableValidatorFactory(
            Supplier<Optional<AvailabilityChecker>> checker, ConstraintValidatorFactory others) {
        this.checker = checker;
        this.others = others;
    }

    @Override
    public <T extends ConstraintValidator<?, ?>> T getInstance(Class<T> type) {
        return type == AvailableValidator.class ? type.cast(new AvailableValidator(checker)) : others.getInstance(type);
    }

    @Override
    public void releaseInstance(ConstraintValidator<?, ?> instance) {
        if (!(instance instanceof AvailableValidator)) {
            others.releaseInstance(instance);
        }
    }
}
