package outside;

import jakarta.inject.Inject;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;

@Path("/signup")
public class SignUps {
    @Inject
    Accounts accounts;

    @POST
    public Response signUp(@FormParam("username") String name) throws SQLException {
        return Response.status(accounts.add(name) ? 201 : 409).build();
    }
}
