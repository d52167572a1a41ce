package io.github.untaken.http.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

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
}
