package io.github.untaken.http.exchange;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AvailabilityRequestTest {
    private static final Map<String, IdentifierKind> KINDS = Map.of("username", USERNAME);

    @Test
    void asksForSuggestionsOnlyByTheWholeWord() throws Exception {
        assertThat(AvailabilityRequest.ofQuery("username=a&suggestions=true", KINDS)
                        .suggestions())
                .isTrue();
        for (String no : new String[] {
            "",
            "&suggestions",
            "&suggestions=",
            "&suggestions=TRUE",
            "&suggestions=true1",
            "&suggestions=tru",
            "&suggestions=%74rue",
            "&xsuggestions=true"
        }) {
            assertThat(AvailabilityRequest.ofQuery("username=a" + no, KINDS).suggestions())
                    .as(no)
                    .isFalse();
        }
    }

    @Test
    void saysNothingOfWhatWasAsked() throws Exception {
        assertThat(AvailabilityRequest.ofQuery("username=alice", KINDS)).hasToString("AvailabilityRequest[username]");
    }
}
