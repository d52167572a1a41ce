package outside;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;

@DataSourceDefinition(
        name = "java:app/jdbc/site",
        className = "org.h2.jdbcx.JdbcDataSource",
        url = "jdbc:h2:mem:site;DB_CLOSE_DELAY=-1",
        user = "sa",
        password = "")
@ApplicationScoped
@Transactional
public class Accounts {
    @PersistenceContext
    EntityManager entities;

    @Inject
    AvailabilityChecker checker;

    public void add(String name) {
        entities.persist(new Account(checker.key(IdentifierKind.USERNAME, name)));
        entities.flush(); // what fails at the commit comes without its cause on some servers
    }

    /** How many there were. */
    public int remove(String name) {
        List<Account> found = entities.createQuery("select a from Account a where a.username = :name", Account.class)
                .setParameter("name", name)
                .getResultList();
        found.forEach(entities::remove);
        return found.size();
    }
}
