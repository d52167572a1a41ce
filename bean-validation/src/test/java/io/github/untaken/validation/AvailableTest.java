package io.github.untaken.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import jakarta.validation.Configuration;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AvailableTest {

    record Form(@Available("username") @Nullable String name) {}

    record OwnWords(
            @Available(value = "username", message = "choose another")
            String name) {}

    private final InMemoryIdentifierStore store = new InMemoryIdentifierStore();
    private AvailabilityChecker checker;
    private ValidatorFactory factory;

    @BeforeEach
    void aliceIsTaken() {
        store.add("alice");
        checker = AvailabilityChecker.builder()
                .store(IdentifierKind.USERNAME, store)
                .recheckTimeout(Duration.ofSeconds(30))
                .build();
        factory = factory(Optional.of(checker));
    }

    @AfterEach
    void close() {
        factory.close();
        checker.close();
    }

    private static ValidatorFactory factory(Optional<AvailabilityChecker> checker) {
        Configuration<?> configuration = Validation.byDefaultProvider().configure();
        return configuration
                .constraintValidatorFactory(new AvailableValidatorFactory(
                        () -> checker, configuration.getDefaultConstraintValidatorFactory()))
                .buildValidatorFactory();
    }

    private String complaint(Object form) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.ENGLISH);
            return factory.getValidator().validate(form).stream()
                    .map(ConstraintViolation::getMessage)
                    .findFirst()
                    .orElse("");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aTakenNameIsAViolationInAnySpelling() {
        assertThat(complaint(new Form("Alice"))).isEqualTo("is already taken");
    }

    @Test
    void aReservedAndAnInvalidNameSaySo() {
        assertThat(complaint(new Form("admin"))).isEqualTo("is reserved");
        assertThat(complaint(new Form("a b"))).isEqualTo("has characters or a length that is not allowed");
    }

    @Test
    void oneMessageOfItsOwnStandsForAllThree() {
        assertThat(complaint(new OwnWords("alice"))).isEqualTo("choose another");
        assertThat(complaint(new OwnWords("admin"))).isEqualTo("choose another");
    }

    @Test
    void aFreeNameAndNoNamePass() {
        assertThat(complaint(new Form("bob"))).isEmpty();
        assertThat(complaint(new Form(null))).isEmpty();
    }

    /** The unique constraint decides, as it has to anyway. */
    @Test
    void whatNobodyCanSayPasses() {
        checker.close();
        assertThat(checker.check(IdentifierKind.USERNAME, "alice").status()).isEqualTo(Verdict.Status.UNKNOWN);
        assertThat(complaint(new Form("alice"))).isEmpty();
    }

    @Test
    void withoutACheckerEverythingPasses() {
        try (ValidatorFactory unconnected = factory(Optional.empty())) {
            assertThat(unconnected.getValidator().validate(new Form("alice"))).isEmpty();
        }
    }

    @Test
    void aValidatorThatNobodyConnectedSaysWhatToDo() {
        try (ValidatorFactory plain = Validation.buildDefaultValidatorFactory()) {
            Validator validator = plain.getValidator();
            assertThatThrownBy(() -> validator.validate(new Form("alice")))
                    .rootCause()
                    .hasMessageContaining("new AvailableValidatorFactory(...)")
                    .hasMessageNotContaining("alice");
        }
    }

    @Test
    void messagesAreThereInChinese() {
        assertThat(ResourceBundle.getBundle("ContributorValidationMessages", Locale.CHINESE)
                        .getString("io.github.untaken.validation.Available.taken"))
                .isEqualTo("已被使用");
    }
}
