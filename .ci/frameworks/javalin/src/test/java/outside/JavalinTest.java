package outside;

import io.javalin.Javalin;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

class JavalinTest {
    @Test
    void whoSignsUpIsTaken() throws Exception {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:javalin", "", "");
        try (var connection = pool.getConnection()) {
            connection.createStatement().execute("create table account (username varchar(40) unique)");
            Accounts accounts = new Accounts(pool);
            Javalin server = SignUpOnJavalin.with(accounts).start("127.0.0.1", 0);
            try {
                new Asked(server.port(), accounts.checker).signsUpThirtyPeople();
            } finally {
                server.stop();
            }
        }
    }
}
