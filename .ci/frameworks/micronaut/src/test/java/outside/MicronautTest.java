package outside;

import io.github.untaken.AvailabilityChecker;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MicronautTest {
    private static final String URL = "jdbc:h2:mem:micronaut";

    @Test
    void whoSignsUpIsTaken() throws Exception {
        try (var connection = DriverManager.getConnection(URL)) {
            connection.createStatement().execute("create table account (username varchar(40) unique)");
            Map<String, Object> settings = Map.of(
                    "micronaut.server.host", "127.0.0.1",
                    "micronaut.server.port", -1,
                    "datasources.default.url", URL,
                    "datasources.default.username", "",
                    "datasources.default.password", "");
            try (EmbeddedServer site = ApplicationContext.run(EmbeddedServer.class, settings)) {
                AvailabilityChecker checker = site.getApplicationContext().getBean(AvailabilityChecker.class);
                new Asked(site.getPort(), checker).signsUpThirtyPeople();
            }
        }
    }
}
