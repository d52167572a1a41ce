package io.github.untaken.servlet.exchange;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import java.nio.charset.StandardCharsets;
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
        byte[] body = "username=alice".getBytes(StandardCharsets.US_ASCII);
        assertThat(AvailabilityRequest.ofForm(body, body.length, KINDS)).hasToString("AvailabilityRequest[username]");
    }
}
