package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchRuleTest {

    @ParameterizedTest
    @CsvSource({
        "/signup, /signup, true",
        "/signup, /signup/, false",
        "/signup, /Signup, false",
        "/signup, /signup/x, false",
        "/x/*, /x, true",
        "/x/*, /x/, true",
        "/x/*, /x/y/z, true",
        "/x/*, /xy, false",
        "/*, /, true",
        "/*, /any/thing, true",
        "/accounts/{u}, /accounts/bob, true",
        "/accounts/{u}, /accounts/, false",
        "/accounts/{u}, /accounts, false",
        "/accounts/{u}, /accounts/bob/x, false",
        "/accounts/{u}/*, /accounts/bob/x, true",
        "/accounts/{u}/*, /accounts/bob, true",
    })
    void matchesWholeSegments(String pattern, String path, boolean matches) {
        assertThat(PathPattern.of(pattern).match(path).isPresent()).isEqualTo(matches);
    }

    @Test
    void findsThePathsVariables() {
        assertThat(PathPattern.of("/{a}/x/{b}").match("/1/x/\u5f20 \u4e09"))
                .contains(Map.of("a", "1", "b", "\u5f20 \u4e09"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "signup", "/a?b", "/a;b", "/{}", "/{a}/{a}", "/x{a}", "/a*", "/*/a", "/{a"})
    void refusesWhatIsNoPath(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> WatchRule.on("POST", path));
    }

    @Test
    void refusesAVariableThatThePathDoesNotHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchRule.on("DELETE", "/accounts/{u}")
                        .releases(USERNAME)
                        .fromPath("username"))
                .withMessage("path '/accounts/{u}' has no variable {username}");
    }

    @Test
    void appliesToItsMethodAlone() {
        WatchRule rule = WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("name");
        assertThat(rule.match("POST", "/signup")).isPresent();
        assertThat(rule.match("GET", "/signup")).isEmpty();
        assertThat(rule.match("post", "/signup")).isEmpty();
        assertThat(rule).hasToString("POST /signup registers username from parameter name");
    }
}
