package outside;

import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;

@Path("/signup")
public class SignUps {
    private final Accounts accounts;

    SignUps(Accounts accounts) {
        this.accounts = accounts;
    }

    @POST
    public Response signUp(@FormParam("username") String name) throws SQLException {
        return Response.status(accounts.add(name) ? 201 : 409).build();
    }
}
