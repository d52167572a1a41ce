package io.github.untaken.filter.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.FilterType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/filters.md do what they say, and stand there word by word. */
class ExamplesTest {
    private static final Path PAGE = Path.of("../docs/filters.md");
    private static final int PAGES = 20_000;
    private static final int ADDRESSES = 20_000;

    @Test
    void aCrawlerFetchesEachPageOnceAndMissesHardlyAny() throws InterruptedException {
        VisitedPages visited = new VisitedPages(PAGES);
        Queue<String> fetched = new ConcurrentLinkedQueue<>();
        ExecutorService crawlers = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            crawlers.execute(() -> IntStream.range(0, 2 * PAGES)
                    .mapToObj(link -> "https://example.org/" + link % PAGES)
                    .filter(visited::isNew)
                    .forEach(fetched::add));
        }
        crawlers.shutdown();
        assertThat(crawlers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThat(fetched).doesNotHaveDuplicates();
        assertThat(fetched).hasSizeGreaterThan(PAGES - 20); // 1.2 are missed on average
    }

    @Test
    void aBlackListIsExactAndSeldomAsked() {
        Set<String> table = new HashSet<>();
        LongAdder asked = new LongAdder();
        BlackList list = new BlackList(ADDRESSES, address -> {
            asked.increment();
            return table.contains(address);
        });
        IntStream.range(0, ADDRESSES).mapToObj(i -> i + "@spam.example").forEach(address -> {
            list.note(address);
            table.add(address);
        });
        table.remove("7@spam.example");

        assertThat(list.names("7@spam.example")).isFalse();
        assertThat(IntStream.range(8, ADDRESSES).mapToObj(i -> i + "@spam.example"))
                .allMatch(list::names);
        asked.reset();
        assertThat(IntStream.range(0, ADDRESSES).mapToObj(i -> i + "@mail.example"))
                .noneMatch(list::names);
        assertThat(asked.sum()).isLessThan(60); // 20 on average
    }

    @ParameterizedTest
    @ValueSource(classes = {VisitedPages.class, BlackList.class})
    void thePageHasThisText(Class<?> example) throws IOException {
        String source =
                Files.readString(Path.of("src/test/java", example.getName().replace('.', '/') + ".java"));
        String text = source.substring(source.indexOf("import "));
        assertThat(Files.readString(PAGE)).contains("```java\n" + text + "```");
    }

    @Test
    void thePageSaysWhatTheyOccupy() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains("visited, in " + mebibytes(FilterSizing.plan(FilterType.CUCKOO, 100_000_000)) + ".")
                .contains("addresses, in " + mebibytes(FilterSizing.plan(FilterType.BLOCKED_BLOOM, 100_000_000, 0.001))
                        + ".");
    }

    private static String mebibytes(FilterSizing sizing) {
        return Math.round(sizing.bytes() / 1024.0 / 1024.0) + " MiB";
    }
}
