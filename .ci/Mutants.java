import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * What {@code .ci/mutants} asks before PIT runs, and after. {@code plan DIRECTORY MODULE...} reads {@code DIRECTORY/diff} and writes for each
 * module which classes PIT is to change, which methods it is to leave alone, and with which tests. {@code judge DIRECTORY MODULE...} compares
 * the mutants of changed methods that no test has noticed with {@code planted-bugs/survivors.txt}.
 *
 * <p>A line of that file: {@code class.method | mutator | description #n | reason}. The number counts the mutants of that method that are
 * described alike, in the order of the text, so nothing in it depends on a line's number.
 */
final class Mutants {
    private static final Path SURVIVORS = Path.of("planted-bugs", "survivors.txt");
    private static final Pattern HUNK = Pattern.compile("^@@ -\\S+ \\+(\\d+)(?:,(\\d+))? @@.*");
    private static final Pattern NO_CODE = Pattern.compile("\\s*(?://.*|/?\\*.*|import .*)?");
    private static final Set<String> UNNOTICED = Set.of("SURVIVED", "NO_COVERAGE");

    /** A method, with its lambdas and anonymous classes; or what stands beside the methods of a class. */
    private record Method(String owner, String name, int first, int last) {
        String id() {
            return owner + '.' + name;
        }
    }

    /** Of one file. */
    private record Source(List<Method> methods, List<String> lines) {
        /** The innermost one; nothing for what stands outside of every class. */
        Optional<Method> at(int line) {
            return methods.stream()
                    .filter(method -> method.first() <= line && line <= method.last())
                    .min(Comparator.comparingInt(method -> method.last() - method.first()));
        }
    }

    private record Mutant(String method, String mutator, String description, String status, String place) {
        String key() {
            return method + " | " + mutator + " | " + description;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        List<String> modules = List.of(arguments).subList(2, arguments.length);
        Map<Path, Set<Integer>> changes = changes(directory.resolve("diff"));
        if (arguments[0].equals("plan")) {
            plan(directory, modules, changes);
        } else {
            System.exit(judge(modules, changes) ? 0 : 1);
        }
    }

    // ---------------------------------------------------------------- what has changed

    /** Lines with code that are new or stand beside something deleted. */
    private static Map<Path, Set<Integer>> changes(Path diff) throws IOException {
        Map<Path, Set<Integer>> changes = new TreeMap<>();
        Path file = null;
        for (String line : Files.readAllLines(diff)) {
            Matcher hunk = HUNK.matcher(line);
            if (line.startsWith("+++ ")) {
                file = line.startsWith("+++ b/") ? Path.of(line.substring(6)) : null;
            } else if (file != null && hunk.matches()) {
                int first = Integer.parseInt(hunk.group(1));
                int count = hunk.group(2) == null ? 1 : Integer.parseInt(hunk.group(2));
                List<String> text = Files.readAllLines(file);
                Set<Integer> lines = changes.computeIfAbsent(file, same -> new TreeSet<>());
                for (int i = first; i < first + Math.max(count, 2); i++) { // a deletion is between that line and the next
                    if (i > 0
                            && i <= text.size()
                            && (count == 0 || i < first + count)
                            && !NO_CODE.matcher(text.get(i - 1)).matches()) {
                        lines.add(i);
                    }
                }
            }
        }
        return changes;
    }

    private static Set<String> changedMethods(Source source, Set<Integer> lines) {
        Set<String> changed = new TreeSet<>();
        lines.forEach(line -> source.at(line).map(Method::id).ifPresent(changed::add));
        return changed;
    }

    // ---------------------------------------------------------------- before

    private static void plan(Path directory, List<String> modules, Map<Path, Set<Integer>> changes) throws IOException {
        Set<String> others = new TreeSet<>();
        Map<String, Set<String>> classes = new LinkedHashMap<>();
        Map<String, Set<String>> unchanged = new HashMap<>();
        Map<String, Set<String>> kept = new HashMap<>();
        for (Map.Entry<Path, Set<Integer>> change : changes.entrySet()) {
            String module = change.getKey().getName(0).toString();
            if (!modules.contains(module)) {
                others.add(module);
                continue;
            }
            Source source = read(change.getKey());
            Set<String> changed = changedMethods(source, change.getValue());
            Set<String> owners = new TreeSet<>();
            for (Method method : source.methods()) {
                if (changed.contains(method.id())) {
                    owners.add(method.owner());
                }
                (changed.contains(method.id()) ? kept : unchanged)
                        .computeIfAbsent(module, same -> new TreeSet<>())
                        .add(method.name());
            }
            for (String owner : owners) { // and its anonymous classes
                classes.computeIfAbsent(module, same -> new TreeSet<>()).addAll(List.of(owner, owner + "$?", owner + "$??"));
            }
        }
        for (Map.Entry<String, Set<String>> each : classes.entrySet()) {
            String module = each.getKey();
            Set<String> left = unchanged.getOrDefault(module, new TreeSet<>());
            left.removeAll(kept.get(module));
            if (kept.get(module).contains("<init>")) {
                left.remove("<fields>");
            }
            Set<String> names = new TreeSet<>();
            for (String name : left) {
                if (!name.equals("<fields>")) {
                    names.add(name);
                    names.add("lambda$" + name.replace("<init>", "new") + "$*");
                }
            }
            names.add("toString"); // for people
            Files.write(directory.resolve(module + ".classes"), each.getValue());
            Files.write(directory.resolve(module + ".unchanged"), names);
            Files.write(directory.resolve(module + ".tests"), tests(module));
        }
        if (!others.isEmpty()) {
            System.out.println("changed, and not tried: " + String.join(", ", others));
        }
        if (classes.isEmpty()) {
            System.out.println("no method of " + String.join(", ", modules) + " has changed");
        }
    }

    /** All packages that have tests: what is narrower lets mutants survive that a test notices. */
    private static Set<String> tests(String module) throws IOException {
        Path root = Path.of(module, "src", "test", "java");
        Set<String> tests = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith("Test.java"))
                    .map(file -> root.relativize(file).getParent().toString().replace("/", "\\."))
                    .forEach(name -> tests.add("~" + name + "\\.[^.]*Test.*"));
        }
        return tests;
    }

    // ---------------------------------------------------------------- after

    private static boolean judge(List<String> modules, Map<Path, Set<Integer>> changes) throws Exception {
        Map<String, String> listed = survivors();
        List<String> faults = new ArrayList<>();
        for (String key : listed.keySet()) {
            if (!exists(key.substring(0, key.indexOf(" | ")))) {
                faults.add("listed, and its method is gone: " + key);
            }
        }
        for (String module : modules) {
            Path report = Path.of(module, "target", "pit-reports", "mutations.xml");
            if (!Files.exists(report)) {
                continue;
            }
            Map<String, Mutant> mutants = new TreeMap<>();
            Set<String> changed = new TreeSet<>();
            read(module, report, changes, mutants, changed);
            Map<String, Integer> figures = new TreeMap<>();
            int inChanged = 0;
            for (Mutant mutant : mutants.values()) {
                boolean unnoticed = UNNOTICED.contains(mutant.status());
                if (listed.containsKey(mutant.key())) {
                    if (!unnoticed) {
                        faults.add("listed, and noticed now (" + mutant.status() + "): " + mutant.key());
                    }
                } else if (unnoticed && changed.contains(mutant.method())) {
                    faults.add(mutant.status() + " at " + mutant.place() + ": " + mutant.key());
                }
                if (changed.contains(mutant.method())) {
                    inChanged++;
                    figures.merge(mutant.status(), 1, Integer::sum);
                }
            }
            boolean complete = Files.readString(report).contains("</mutations>");
            for (String key : listed.keySet()) {
                if (complete && changed.contains(key.substring(0, key.indexOf(" | "))) && !mutants.containsKey(key)) {
                    faults.add("listed, and there is no such mutant any more: " + key);
                }
            }
            System.out.println(module + ": " + changed.size() + " changed methods, " + inChanged + " mutants " + figures);
        }
        faults.forEach(System.out::println);
        System.out.println(faults.isEmpty()
                ? "each mutant that was tried in a changed method is noticed or listed (" + listed.size() + " listed)"
                : faults.size() + " to be noticed by a test, or listed in " + SURVIVORS + " with a reason, or taken from it");
        return faults.isEmpty();
    }

    private static void read(
            String module,
            Path report,
            Map<Path, Set<Integer>> changes,
            Map<String, Mutant> mutants,
            Set<String> changed)
            throws Exception {
        String text = Files.readString(report);
        int last = text.lastIndexOf("</mutation>");
        if (last < 0) {
            return;
        }
        // It has no end if PIT was ended.
        String complete = text.substring(0, last) + "</mutation></mutations>";
        NodeList all = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(complete)))
                .getElementsByTagName("mutation");
        Map<Path, Source> sources = new HashMap<>();
        Map<String, Integer> alike = new HashMap<>();
        List<Element> inOrder = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            inOrder.add((Element) all.item(i));
        }
        inOrder.sort(Comparator.comparing((Element each) -> text(each, "mutatedClass"))
                .thenComparingInt(each -> Integer.parseInt(text(each, "lineNumber")))
                .thenComparing(each -> text(each, "mutatedMethod"))
                .thenComparingInt(each -> Integer.parseInt(text(each, "index"))));
        for (Element each : inOrder) {
            String type = text(each, "mutatedClass");
            Path file = Path.of(module, "src", "main", "java")
                    .resolve(type.substring(0, type.lastIndexOf('.')).replace('.', '/'))
                    .resolve(text(each, "sourceFile"));
            Source source = sources.get(file);
            if (source == null) {
                source = read(file);
                sources.put(file, source);
                changed.addAll(changedMethods(source, changes.getOrDefault(file, Set.of())));
            }
            int line = Integer.parseInt(text(each, "lineNumber"));
            String mutator = text(each, "mutator");
            String description = text(each, "description").replace('|', '/');
            Mutant bare = new Mutant(
                    source.at(line).orElseThrow().id(),
                    mutator.substring(mutator.lastIndexOf('.') + 1).replace("Mutator", ""),
                    description.replaceAll(" for \\S+$", ""),
                    each.getAttribute("status"),
                    file + ":" + line);
            int number = alike.merge(bare.key(), 1, Integer::sum);
            Mutant mutant = new Mutant(
                    bare.method(), bare.mutator(), bare.description() + " #" + number, bare.status(), bare.place());
            mutants.put(mutant.key(), mutant);
        }
    }

    private static String text(Element mutation, String name) {
        NodeList found = mutation.getElementsByTagName(name);
        return found.getLength() == 0 ? "0" : found.item(0).getTextContent();
    }

    private static Map<String, String> survivors() throws IOException {
        Map<String, String> survivors = new LinkedHashMap<>();
        for (String line : Files.readAllLines(SURVIVORS)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(" \\| ", -1);
            if (parts.length != 4 || parts[3].isBlank()) {
                throw new IllegalStateException(SURVIVORS + ": class.method | mutator | description #n | reason, not: " + line);
            }
            if (survivors.put(String.join(" | ", parts[0], parts[1], parts[2]), parts[3]) != null) {
                throw new IllegalStateException(SURVIVORS + " has it twice: " + line);
            }
        }
        return survivors;
    }

    private static boolean exists(String method) throws IOException {
        String owner = method.substring(0, method.lastIndexOf('.'));
        String file = owner.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        try (Stream<Path> modules = Files.list(Path.of(""))) {
            for (Path module : modules.toList()) {
                Path source = module.resolve("src/main/java").resolve(file);
                if (Files.exists(source)) {
                    return read(source).methods().stream().anyMatch(each -> each.id().equals(method));
                }
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- sources

    private static Source read(Path file) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(
                null,
                null,
                ignored -> {},
                List.of("-proc:none"),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<Method> methods = new ArrayList<>();
        CompilationUnitTree unit = task.parse().iterator().next();
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        new TreeScanner<Void, Void>() {
            private final Deque<String> owners = new ArrayDeque<>();
            private int hidden; // within anonymous classes

            private int line(long position) {
                return (int) unit.getLineMap().getLineNumber(position);
            }

            private void add(String name, com.sun.source.tree.Tree tree) {
                methods.add(new Method(
                        owners.peek(),
                        name,
                        line(positions.getStartPosition(unit, tree)),
                        line(positions.getEndPosition(unit, tree))));
            }

            @Override
            public Void visitClass(ClassTree tree, Void none) {
                if (hidden > 0) {
                    return super.visitClass(tree, none);
                }
                owners.push(
                        owners.isEmpty() ? prefix + tree.getSimpleName() : owners.peek() + "$" + tree.getSimpleName());
                add("<fields>", tree);
                super.visitClass(tree, none);
                owners.pop();
                return null;
            }

            @Override
            public Void visitNewClass(NewClassTree tree, Void none) {
                hidden++;
                super.visitNewClass(tree, none);
                hidden--;
                return null;
            }

            @Override
            public Void visitMethod(MethodTree tree, Void none) {
                if (hidden == 0) {
                    add(tree.getName().toString(), tree);
                }
                hidden++; // classes of its own count as it
                super.visitMethod(tree, none);
                hidden--;
                return null;
            }
        }.scan(unit, null);
        return new Source(methods, Files.readAllLines(file));
    }
}
