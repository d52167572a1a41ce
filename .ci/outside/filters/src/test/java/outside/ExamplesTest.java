package outside;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** The examples with the filters' jar and nothing else, as modules. */
class ExamplesTest {

    @Test
    void aPageIsNewOnce() {
        VisitedPages visited = new VisitedPages(1000);
        assertTrue(visited.isNew("https://example.org/"));
        assertFalse(visited.isNew("https://example.org/"));
    }

    @Test
    void whoIsOnTheListIsNamed() {
        BlackList list = new BlackList(1000, Set.of("a@spam.example")::contains);
        list.note("a@spam.example");
        assertTrue(list.names("a@spam.example"));
        assertFalse(list.names("a@mail.example"));
    }
}
