package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages link to is there, and every page can be found. Addresses of other sites are not looked at. */
class LinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> LEFT_OUT = Set.of(".git", "target", "sample-data", "node_modules");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)$");

    /** A link of a page. The page itself if there is only a heading; the heading is empty if none is named. */
    private record Link(Path page, Path target, String heading) {
        boolean leadsSomewhere() throws IOException {
            return Files.exists(target)
                    && (heading.isEmpty() || headings(target).contains(heading));
        }
    }

    private static List<Path> pages(Path root) throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return LEFT_OUT.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }

    private static List<Link> links(Path page) throws IOException {
        String prose = CODE.matcher(Files.readString(page)).replaceAll("");
        return LINK.matcher(prose)
                .results()
                .map(found -> found.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .map(link -> link(page, link))
                .toList();
    }

    private static Link link(Path page, String text) {
        int hash = text.indexOf('#');
        String file = hash < 0 ? text : text.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return new Link(page, target, hash < 0 ? "" : text.substring(hash + 1));
    }

    /** As they are named in links: small letters, hyphens for spaces, no punctuation, a number where one comes again. */
    private static Set<String> headings(Path page) throws IOException {
        Set<String> names = new HashSet<>();
        String outsideOfBlocks = Pattern.compile("(?ms)^ *```.*?^ *```")
                .matcher(Files.readString(page))
                .replaceAll("");
        for (MatchResult heading : HEADING.matcher(outsideOfBlocks).results().toList()) {
            String name = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                    .strip()
                    .replace(' ', '-');
            String unique = name;
            for (int i = 1; !names.add(unique); i++) {
                unique = name + '-' + i;
            }
        }
        return names;
    }

    private static List<Link> leadingNowhere(Path root) throws IOException {
        List<Link> nowhere = new ArrayList<>();
        for (Path page : pages(root)) {
            for (Link link : links(page)) {
                if (!link.leadsSomewhere()) {
                    nowhere.add(link);
                }
            }
        }
        return nowhere;
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        assertThat(leadingNowhere(ROOT)).isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheFirst() throws IOException {
        Set<Path> seen = new HashSet<>();
        Deque<Path> open = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
        while (!open.isEmpty()) {
            Path page = open.remove();
            if (seen.add(page)) {
                links(page).stream()
                        .map(Link::target)
                        .filter(target -> target.toString().endsWith(".md"))
                        .forEach(open::add);
            }
        }
        assertThat(seen).containsAll(pages(ROOT));
    }

    @Test
    void aLinkToNowhereIsNoticed(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("one.md"), """
                # One `and only`, twice
                # One `and only`, twice
                [good](two.md) [good](#one-and-only-twice-1) [good](two.md#here) [elsewhere](https://example.org/x#y)
                [no file](three.md) [no heading](two.md#there) [not so often](#one-and-only-twice-2)
                `[code](four.md)`
                """);
        Files.writeString(root.resolve("two.md"), """
                # Here
                ```
                # there
                [code](five.md)
                ```
                """);
        assertThat(leadingNowhere(root))
                .extracting(link -> root.relativize(link.target()) + "#" + link.heading())
                .containsExactly("three.md#", "two.md#there", "one.md#one-and-only-twice-2");
    }
}
