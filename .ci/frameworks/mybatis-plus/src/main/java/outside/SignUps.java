package outside;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SignUps {
    private final Accounts accounts;
    private final AvailabilityChecker checker;

    SignUps(Accounts accounts, AvailabilityChecker checker) {
        this.accounts = accounts;
        this.checker = checker;
    }

    @PostMapping("/signup")
    ResponseEntity<Void> signUp(@RequestParam("username") String name) {
        Account account = new Account();
        account.username = checker.key(IdentifierKind.USERNAME, name);
        try {
            accounts.insert(account);
            return ResponseEntity.status(HttpStatus.CREATED).build();
        } catch (DuplicateKeyException e) {
            return ResponseEntity.status(HttpStatus.CONFLICT).build();
        }
    }
}
