package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.sample.console.StartupException;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.test.browser.Chromium;
import io.github.untaken.testkit.Eventually;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A site of some thousand users and a browser that looks at it, as an extension of JUnit. Held in a static field, it is one
 * site for all tests of a class, otherwise one for each. A test fails if a page of it reports an error, breaks its content
 * security policy or asks another origin for anything.
 */
public final class BrowsedSite implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final String TELLS_VIOLATIONS = "document.addEventListener('securitypolicyviolation', event =>"
            + " console.error('content security policy: ' + event.violatedDirective + ' ' + event.blockedURI))";

    private final UnaryOperator<IdentifierSource> source;
    private final boolean warm;
    private final Optional<HeldConsole> console;
    private final String[] options;
    private final List<BrowserContext> windows = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<Pattern> expected = new ArrayList<>();
    private boolean forAll;
    private Chromium browser;
    private Path data;
    private CompletableFuture<SignUpSite> starting;
    private SignUpSite site;
    private String address;
    private Client client;

    /** @param options of the command line, beyond port, data and users */
    public BrowsedSite(String... options) {
        this(UnaryOperator.identity(), true, Optional.empty(), options);
    }

    private BrowsedSite(
            UnaryOperator<IdentifierSource> source, boolean warm, Optional<HeldConsole> console, String... options) {
        this.source = source;
        this.warm = warm;
        this.console = console;
        this.options = options.clone();
    }

    /** One that is not waited for until it is warm, and sees its database through the source given. */
    public static BrowsedSite warmingUp(UnaryOperator<IdentifierSource> source) {
        return new BrowsedSite(source, false, Optional.empty());
    }

    /** One that listens, and fills its database once the console lets it. */
    static BrowsedSite filling(HeldConsole console, String... options) {
        return new BrowsedSite(UnaryOperator.identity(), false, Optional.of(console), options);
    }

    @Override
    public void beforeAll(ExtensionContext test) throws Exception {
        forAll = true;
        start(test);
    }

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        if (!forAll) {
            start(test);
        }
    }

    private void start(ExtensionContext test) throws Exception {
        browser = Chromium.running();
        data = Files.createTempDirectory("browsed-site");
        if (console.isPresent()) {
            HeldConsole lines = console.get();
            starting = CompletableFuture.supplyAsync(() -> started(Sites.into(lines)));
            Eventually.holds("the site that listens", () -> lines.text().contains("Seeding"));
            address = lines.address();
        } else {
            site = started(System.out);
            address = site.address();
        }
        client = new Client(address);
        if (warm) {
            Sites.awaitReady(client);
        }
    }

    private SignUpSite started(PrintStream out) {
        try {
            return Sites.start(data, out, source, options);
        } catch (StartupException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) throws Exception {
        // A request that is on its way would still be answered by its test, from a page that is closed.
        windows.forEach(window -> window.pages().forEach(Page::unrouteAll));
        windows.forEach(BrowserContext::close);
        windows.clear();
        List<String> heard = complaints.stream()
                .filter(text ->
                        expected.stream().noneMatch(known -> known.matcher(text).find()))
                .toList();
        complaints.clear();
        expected.clear();
        if (!forAll) {
            stop();
        }
        assertThat(heard).as("what the browser complained of").isEmpty();
    }

    @Override
    public void afterAll(ExtensionContext test) throws Exception {
        stop();
    }

    private void stop() throws Exception {
        if (starting != null) {
            site = starting.join();
            starting = null;
        }
        if (site != null) {
            site.close();
            site = null;
            try (Stream<Path> files = Files.walk(data)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /** Opens a page of the site in a window of its own: desktop size, light, English. */
    public Page open(String path) {
        return open(path, new NewContextOptions());
    }

    public Page open(String path, NewContextOptions window) {
        BrowserContext context = browser.window(window.setBaseURL(address));
        windows.add(context);
        context.addInitScript(TELLS_VIOLATIONS);
        context.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(message.text());
            }
        });
        context.onWebError(error -> complaints.add("uncaught: " + error.error()));
        context.onRequest(request -> {
            if (!request.url().startsWith(address)) {
                complaints.add("asked another origin: " + request.url());
            }
        });
        Page page = context.newPage();
        page.navigate(path);
        return page;
    }

    /** Lets this test's pages report errors that contain a match of the pattern, such as an HTTP status it provokes. */
    public void expectComplaint(String pattern) {
        expected.add(Pattern.compile(pattern));
    }

    /** What the pages of this test reported so far. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The site past the browser. */
    public Client client() {
        return client;
    }

    /** What the site asks, past HTTP. */
    public AvailabilityChecker checker() {
        return site.checker();
    }

    public SignUpSite site() {
        return site;
    }

    public Path data() {
        return data;
    }
}
