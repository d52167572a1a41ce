package outside;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.SQLException;
import javax.sql.DataSource;

@Controller
class SignUps {
    private final DataSource dataSource;
    private final AvailabilityChecker checker;

    SignUps(DataSource dataSource, AvailabilityChecker checker) {
        this.dataSource = dataSource;
        this.checker = checker;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Post(uri = "/signup", consumes = MediaType.APPLICATION_FORM_URLENCODED)
    HttpStatus signUp(String username) throws SQLException {
        try (var connection = dataSource.getConnection();
                var insert = connection.prepareStatement("insert into account (username) values (?)")) {
            insert.setString(1, checker.key(IdentifierKind.USERNAME, username));
            insert.executeUpdate();
            return HttpStatus.CREATED;
        } catch (SQLException e) {
            if ("23505".equals(e.getSQLState())) {
                return HttpStatus.CONFLICT;
            }
            throw e;
        }
    }
}
