package outside;

import io.github.untaken.AvailabilityChecker;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.address=127.0.0.1")
class MybatisPlusTest {
    @Test
    void whoSignsUpIsTaken(@LocalServerPort int port, @Autowired AvailabilityChecker checker) throws Exception {
        new Asked(port, checker).signsUpThirtyPeople();
    }
}
