package outside;

public class Account {
    public Long id;
    public String username;
}
