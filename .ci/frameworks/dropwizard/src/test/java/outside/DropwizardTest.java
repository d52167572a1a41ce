package outside;

import static io.dropwizard.testing.ConfigOverride.config;

import io.dropwizard.testing.DropwizardTestSupport;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

class DropwizardTest {
    private static final String URL = "jdbc:h2:mem:dropwizard";

    @Test
    void whoSignsUpIsTaken() throws Exception {
        var site = new DropwizardTestSupport<>(
                SignUpOnDropwizard.class,
                null,
                config("database.driverClass", "org.h2.Driver"),
                config("database.url", URL),
                config("server.applicationConnectors[0].bindHost", "127.0.0.1"),
                config("server.applicationConnectors[0].port", "0"),
                config("server.adminConnectors[0].bindHost", "127.0.0.1"),
                config("server.adminConnectors[0].port", "0"));
        try (var connection = DriverManager.getConnection(URL)) {
            connection.createStatement().execute("create table account (username varchar(40) unique)");
            site.before();
            try {
                SignUpOnDropwizard application = site.getApplication();
                new Asked(site.getLocalPort(), application.accounts.checker).signsUpThirtyPeople();
            } finally {
                site.after();
            }
        }
    }
}
