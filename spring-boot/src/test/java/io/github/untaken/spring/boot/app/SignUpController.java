package io.github.untaken.spring.boot.app;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.DuplicateKeys;
import io.github.untaken.validation.Available;
import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A sign-up form, answered in one line. */
@RestController
class SignUpController {

    record Form(@Available("username") String username) {}

    /** What two people send who both were told that the name is free. */
    record UncheckedForm(String username) {}

    private final Accounts accounts;
    private final ObjectProvider<DuplicateKeys> duplicates;

    SignUpController(Accounts accounts, ObjectProvider<DuplicateKeys> duplicates) {
        this.accounts = accounts;
        this.duplicates = duplicates;
    }

    @PostMapping("/signup")
    String signUp(@Valid @ModelAttribute Form form, BindingResult result) {
        if (result.hasErrors()) {
            return result.getFieldError("username").getDefaultMessage();
        }
        accounts.save(new Account(form.username()));
        return "welcome";
    }

    /** As docs/getting-started.md has it, but for the check before. */
    @PostMapping("/hasty")
    String hasty(@ModelAttribute UncheckedForm form, BindingResult result) {
        try {
            accounts.save(new Account(form.username()));
        } catch (DataIntegrityViolationException e) {
            duplicates
                    .getObject()
                    .takenOrThrow(e, Map.of("username", form.username()), Map.of("username", IdentifierKind.USERNAME))
                    .forEach(field -> result.rejectValue(field, "taken", "is already taken"));
        }
        return result.hasErrors() ? result.getFieldErrors().toString() : "welcome";
    }
}
