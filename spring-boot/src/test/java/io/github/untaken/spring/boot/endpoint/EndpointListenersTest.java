package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.http.EndpointListener;
import io.github.untaken.spring.boot.EveryCall;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointListenersTest {
    @Test
    void allListenersOfTheEndpointAreToldEverything() throws Exception {
        EveryCall.reachesBoth(EndpointListener.class, (first, second) -> new EndpointListeners(List.of(first, second)));
    }
}
