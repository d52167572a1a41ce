package io.github.untaken.test.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ScreenshotAnimations;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One Chromium for all tests of this process, driven by the Node.js that is installed; nothing is downloaded. The system
 * properties {@code test.browser} and {@code test.node} say where the two are, else the PATH is searched.
 */
public final class Chromium {
    private static final double PATIENCE_MILLIS = 60_000;
    private static final int OLDEST_NODE = 20;

    private static Optional<Chromium> running = Optional.empty();

    private final Browser browser;

    private Chromium(Path chromium, Path node) {
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1", "PLAYWRIGHT_NODEJS_PATH", node.toString())));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        // Chromium does not start as root in its sandbox; it only visits pages of ours.
        browser = playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
        Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
    }

    /** Starts it for the first who asks; tests are skipped where one of the two programs is missing. */
    public static synchronized Chromium running() {
        if (running.isEmpty()) {
            Optional<Path> chromium = installed("test.browser", "chromium", "chromium-browser", "google-chrome");
            assumeTrue(
                    chromium.isPresent(),
                    "no Chromium on the PATH: the pages are not tried out; install one, or give -Dtest.browser=...");
            Optional<Path> node = installed("test.node", "node", "nodejs").filter(Chromium::isNewEnough);
            assumeTrue(
                    node.isPresent(),
                    "no Node.js " + OLDEST_NODE
                            + " on the PATH: the pages are not tried out; install one, or give -Dtest.node=...");
            running = Optional.of(new Chromium(chromium.get(), node.get()));
        }
        return running.get();
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

    private static boolean isNewEnough(Path node) {
        try {
            Process asked = new ProcessBuilder(node.toString(), "--version").start();
            String version = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return version.matches("v\\d+\\..*")
                    && Integer.parseInt(version.substring(1, version.indexOf('.'))) >= OLDEST_NODE;
        } catch (IOException e) {
            return false;
        }
    }

    /** A window of its own, without cookies or cache of another. */
    public BrowserContext window() {
        return window(new NewContextOptions());
    }

    public BrowserContext window(NewContextOptions options) {
        BrowserContext window = browser.newContext(options);
        window.setDefaultTimeout(PATIENCE_MILLIS);
        return window;
    }

    /** Keeps what a page looks like, all of it, as {@code target/screenshots/NAME.png}. */
    public static void screenshot(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(picture(name))
                .setFullPage(true)
                .setAnimations(ScreenshotAnimations.DISABLED));
    }

    /** The same of a part of a page. */
    public static void screenshot(Locator part, String name) {
        part.screenshot(
                new Locator.ScreenshotOptions().setPath(picture(name)).setAnimations(ScreenshotAnimations.DISABLED));
    }

    /** The same of a page from below its header to the end of a part. */
    public static void screenshotOfTop(Page page, Locator last, String name) {
        double from = page.locator("header").boundingBox().height;
        var end = last.boundingBox();
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(picture(name))
                .setFullPage(true)
                .setClip(0, from, page.viewportSize().width, end.y + end.height - from)
                .setAnimations(ScreenshotAnimations.DISABLED));
    }

    private static Path picture(String name) {
        return Path.of("target", "screenshots", name + ".png");
    }
}
