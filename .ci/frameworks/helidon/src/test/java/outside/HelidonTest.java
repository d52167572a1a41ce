package outside;

import io.github.untaken.AvailabilityChecker;
import io.helidon.microprofile.server.Server;
import jakarta.enterprise.inject.spi.CDI;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

class HelidonTest {
    private static final String URL = "jdbc:h2:mem:helidon";

    @Test
    void whoSignsUpIsTaken() throws Exception {
        System.setProperty("database.url", URL);
        try (var connection = DriverManager.getConnection(URL)) {
            connection.createStatement().execute("create table account (username varchar(40) unique)");
            Server site = Server.builder().host("127.0.0.1").port(0).build().start();
            try {
                AvailabilityChecker checker = CDI.current().select(AvailabilityChecker.class).get();
                new Asked(site.port(), checker).signsUpThirtyPeople();
            } finally {
                site.stop();
            }
        }
    }
}
