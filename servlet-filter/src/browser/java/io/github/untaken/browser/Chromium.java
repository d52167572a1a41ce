package io.github.untaken.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A headless Chromium, driven by the Node.js that is installed; nothing is downloaded. The system properties
 * {@code test.browser} and {@code test.node} say where the two are, else the PATH is searched.
 */
public final class Chromium implements AutoCloseable {
    private static final double PATIENCE_MILLIS = 60_000;

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Path chromium, Path node) {
        playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1", "PLAYWRIGHT_NODEJS_PATH", node.toString())));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        // Chromium does not start as root in its sandbox; it only visits pages of ours.
        browser = playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
    }

    /** Skips the tests where one of the two programs is missing. */
    public static Chromium start() {
        Optional<Path> chromium = installed("test.browser", "chromium", "chromium-browser", "google-chrome");
        Optional<Path> node = installed("test.node", "node", "nodejs");
        assumeTrue(
                chromium.isPresent() && node.isPresent(),
                "no Chromium or no Node.js on the PATH: the pages are not tried out; install them, or give"
                        + " -Dtest.browser=... and -Dtest.node=...");
        return new Chromium(chromium.get(), node.get());
    }

    private static Optional<Path> installed(String property, String... names) {
        String given = System.getProperty(property, "");
        if (!given.isEmpty()) {
            return Optional.of(Path.of(given));
        }
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(directory -> Arrays.stream(names).map(Path.of(directory)::resolve))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
