package io.github.untaken.http;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchRuleTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "signup", "/a?b", "/a;b", "/{}", "/{a}/{a}", "/x{a}", "/a*", "/*/a", "/{a"})
    void refusesWhatIsNoPath(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> WatchRule.on("POST", path));
    }

    @Test
    void refusesAVariableThatThePathDoesNotHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchRule.on("DELETE", "/accounts/{u}")
                        .registers(USERNAME)
                        .fromPath("username"))
                .withMessage("path '/accounts/{u}' has no variable {username}");
    }

    @Test
    void appliesToItsMethodAlone() {
        WatchRule rule = WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("name");
        assertThat(rule.rule().match("POST", "/signup")).isPresent();
        assertThat(rule.rule().match("GET", "/signup")).isEmpty();
        assertThat(rule.rule().match("post", "/signup")).isEmpty();
        assertThat(rule).hasToString("POST /signup registers username from parameter name");
    }
}
