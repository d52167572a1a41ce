package outside;

import io.github.untaken.AvailabilityChecker;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@io.quarkus.test.junit.QuarkusTest
class QuarkusTest {
    @ConfigProperty(name = "quarkus.http.test-port")
    int port;

    @Inject
    AvailabilityChecker checker;

    @Test
    void whoSignsUpIsTaken() throws Exception {
        new Asked(port, checker).signsUpThirtyPeople();
    }
}
