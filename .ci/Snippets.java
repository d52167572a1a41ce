import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Puts the snippets of the documentation into projects that know nothing of this build: {@code java .ci/Snippets.java DIRECTORY}, which
 * is called {@code outside}, {@code frameworks} or {@code servers}. Each {@code java} fence becomes a class, each {@code html} fence the
 * file that its first line names, and so does a {@code properties} fence that names one; each {@code xml} fence with coordinates goes into
 * the pom, in the place of {@code <!-- dependencies -->} or before it; the scripts, and a request with its answer, become files for a test.
 * Refuses coordinates for Gradle that are not those for Maven.
 */
final class Snippets {
    private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public |final |abstract )*(?:class|record|interface) (\\w+)");
    private static final Pattern MAVEN = Pattern.compile(
            "<groupId>(.+?)</groupId>\\s*<artifactId>(.+?)</artifactId>(?:\\s*<version>(.+?)</version>)?");
    private static final Pattern GRADLE = Pattern.compile("'([\\w.-]+):([\\w.-]+)(?::([\\w.-]+))?'");
    private static final Pattern FILE = Pattern.compile("(?:<!--|#) (src/main/resources/\\S+)(?: -->)?\\n");
    private static final String PLACE = "    <!-- dependencies -->\n";

    /** What of a page goes into a project: a section, or all of it if the heading is empty. */
    private record Part(String page, String heading, String project) {}

    /** By the name of the directory of the projects. */
    private static final Map<String, List<Part>> PARTS = Map.of(
            "outside",
            List.of(
                    new Part("README.md", "", "readme"),
                    new Part("docs/getting-started.md", "Coordinates", "boot"),
                    new Part("docs/getting-started.md", "Spring Boot in five minutes", "boot"),
                    new Part("docs/getting-started.md", "A store of your own", "boot"),
                    new Part("docs/widget.md", "A sign-up by JSON", "boot"),
                    new Part("docs/getting-started.md", "Coordinates", "jakarta"),
                    new Part("docs/getting-started.md", "Jakarta EE", "jakarta"),
                    new Part("docs/getting-started.md", "Plain servlets", "jakarta"),
                    new Part("docs/email.md", "", "boot"),
                    new Part("docs/filters.md", "As a library", "filters")),
            "frameworks",
            List.of(
                    new Part("docs/frameworks.md", "Plain JDBC", "javalin"),
                    new Part("docs/frameworks.md", "Javalin", "javalin"),
                    new Part("docs/frameworks.md", "Plain JDBC", "dropwizard"),
                    new Part("docs/frameworks.md", "Dropwizard", "dropwizard"),
                    new Part("docs/frameworks.md", "Micronaut", "micronaut"),
                    new Part("docs/frameworks.md", "JAX-RS without servlets", "helidon"),
                    new Part("docs/frameworks.md", "Helidon MP", "helidon"),
                    new Part("docs/frameworks.md", "Plain JDBC", "quarkus"),
                    new Part("docs/frameworks.md", "JAX-RS without servlets", "quarkus"),
                    new Part("docs/frameworks.md", "Quarkus", "quarkus"),
                    new Part("docs/frameworks.md", "Spring Boot with MyBatis-Plus", "mybatis-plus")),
            "servers",
            List.of(
                    new Part("docs/getting-started.md", "Coordinates", "site"),
                    new Part("docs/getting-started.md", "Jakarta EE", "site")));

    public static void main(String[] arguments) throws IOException {
        Path projects = Path.of(arguments[0]);
        for (Part part : PARTS.get(projects.getFileName().toString())) {
            write(part, projects.resolve(part.project()));
        }
    }

    private static void write(Part part, Path project) throws IOException {
        List<String> maven = new ArrayList<>();
        List<String> gradle = new ArrayList<>();
        for (MatchResult fence : FENCE.matcher(section(part)).results().toList()) {
            String text = fence.group(2);
            switch (fence.group(1)) {
                case "java" -> writeClass(part, text, project.resolve("src/main/java/outside"));
                case "xml" -> {
                    maven.addAll(coordinates(MAVEN, text));
                    addToPom(text, project.resolve("pom.xml"));
                }
                case "groovy" -> gradle.addAll(coordinates(GRADLE, text));
                case "html" -> writeFile(part, text, project);
                case "properties" -> {
                    if (FILE.matcher(text).lookingAt()) {
                        writeFile(part, text, project);
                    }
                }
                case "js" -> Files.writeString(project.resolve("scripts.js"), text, CREATE, APPEND);
                default -> {
                    if (text.startsWith("GET ")) {
                        Files.writeString(project.resolve("request.txt"), text);
                    } else if (text.startsWith("POST ")) {
                        Files.writeString(project.resolve("posted.txt"), text);
                    }
                }
            }
        }
        // What is said for Maven once need not be said again for Gradle, but what is said must be the same.
        if (!new TreeSet<>(maven).containsAll(gradle) || gradle.isEmpty() != maven.isEmpty()) {
            throw new IllegalStateException(part + ": for Maven " + maven + ", for Gradle " + gradle);
        }
    }

    private static String section(Part part) throws IOException {
        String page = Files.readString(Path.of(part.page()));
        if (part.heading().isEmpty()) {
            return page;
        }
        int begin = page.indexOf("\n## " + part.heading() + "\n");
        if (begin < 0) {
            throw new IllegalStateException(part + ": there is no such section");
        }
        int end = page.indexOf("\n## ", begin + 1);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    private static void writeClass(Part part, String text, Path folder) throws IOException {
        var type = TYPE.matcher(text);
        if (!type.find()) {
            throw new IllegalStateException(part + ": a snippet that is no class: " + text);
        }
        // The first screen has no room for imports, and says so.
        String imports = part.page().equals("README.md")
                ? "import io.github.untaken.*;\nimport jakarta.persistence.*;\n"
                : "";
        Path file = folder.resolve(type.group(1) + ".java");
        if (Files.exists(file)) {
            throw new IllegalStateException(part + ": " + type.group(1) + " is there twice");
        }
        Files.createDirectories(folder);
        Files.writeString(file, "package outside;\n\n" + imports + text);
    }

    private static void writeFile(Part part, String text, Path project) throws IOException {
        var name = FILE.matcher(text);
        if (!name.lookingAt()) {
            throw new IllegalStateException(part + ": a page that does not say where it goes: " + text);
        }
        Path file = project.resolve(name.group(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void addToPom(String text, Path pom) throws IOException {
        String old = Files.readString(pom);
        String added = text.startsWith("<dependencyManagement>")
                ? old.replace("  <dependencies>\n" + PLACE, text + "  <dependencies>\n" + PLACE)
                : old.replace(PLACE, text + PLACE);
        if (added.equals(old)) {
            throw new IllegalStateException(pom + " has no place for " + text);
        }
        Files.writeString(pom, added);
    }

    private static List<String> coordinates(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1) + ":" + found.group(2) + ":" + found.group(3))
                .toList();
    }
}
