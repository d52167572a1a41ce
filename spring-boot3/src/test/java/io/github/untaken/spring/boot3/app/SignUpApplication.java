package io.github.untaken.spring.boot3.app;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.DuplicateKeys;
import io.github.untaken.validation.Available;
import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An annotated entity and a form. */
@SpringBootApplication
public class SignUpApplication {

    record Form(@Available("username") String username) {}

    record UncheckedForm(String username) {}

    @RestController
    static class SignUp {
        private final Accounts accounts;
        private final DuplicateKeys duplicates;

        SignUp(Accounts accounts, DuplicateKeys duplicates) {
            this.accounts = accounts;
            this.duplicates = duplicates;
        }

        @PostMapping("/signup")
        String signUp(@Valid @ModelAttribute Form form, BindingResult result) {
            if (result.hasErrors()) {
                return "refused";
            }
            accounts.save(new Account(form.username()));
            return "welcome";
        }

        @PostMapping("/hasty")
        String hasty(@ModelAttribute UncheckedForm form) {
            try {
                accounts.save(new Account(form.username()));
                return "welcome";
            } catch (DataIntegrityViolationException e) {
                return duplicates
                        .takenOrThrow(
                                e, Map.of("username", form.username()), Map.of("username", IdentifierKind.USERNAME))
                        .toString();
            }
        }
    }
}
