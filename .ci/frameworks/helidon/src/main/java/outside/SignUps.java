package outside;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import javax.sql.DataSource;

@Path("/signup")
@RequestScoped
public class SignUps {
    @Inject
    DataSource dataSource;

    @Inject
    AvailabilityChecker checker;

    @POST
    public Response signUp(@FormParam("username") String name) throws SQLException {
        try (var connection = dataSource.getConnection();
                var insert = connection.prepareStatement("insert into account (username) values (?)")) {
            insert.setString(1, checker.key(IdentifierKind.USERNAME, name));
            insert.executeUpdate();
            return Response.status(201).build();
        } catch (SQLException e) {
            if ("23505".equals(e.getSQLState())) {
                return Response.status(409).build();
            }
            throw e;
        }
    }
}
