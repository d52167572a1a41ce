package io.github.untaken.http;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointSettingsTest {
    private static final IdentifierKind NICK = IdentifierKind.of("nick");

    @Test
    void otherKindsMayBeSentEitherWayAndSensitiveOnesByPost() {
        Map<IdentifierKind, ServedKind> served = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .gate(RequestGate.allowAll())
                .build()
                .served(Set.of(USERNAME, PHONE, EMAIL, NICK));
        for (IdentifierKind open : List.of(USERNAME, NICK)) {
            assertThat(served.get(open).mode()).isEqualTo(KindMode.OPEN);
            assertThat(served.get(open).methods()).containsExactlyInAnyOrder(CheckMethod.GET, CheckMethod.POST);
        }
        for (IdentifierKind limited : List.of(PHONE, EMAIL)) {
            assertThat(served.get(limited).mode()).isEqualTo(KindMode.LIMITED);
            assertThat(served.get(limited).methods()).containsExactly(CheckMethod.POST);
        }
    }
}
