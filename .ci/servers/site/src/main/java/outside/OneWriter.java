package outside;

import io.github.untaken.AvailabilityCheckerBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** The word that no other process writes; a test starts the server without it, too. */
@ApplicationScoped
public class OneWriter {
    void say(@Observes AvailabilityCheckerBuilder builder) {
        if (Boolean.getBoolean("site.one-writer")) {
            builder.singleWriter(false);
        }
    }
}
