package io.github.untaken.sample;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.WhenUnreachable;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.RequestGate;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.console.WarmUp;
import io.github.untaken.sample.database.Accounts;
import io.github.untaken.sample.database.DataDirectory;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.database.Seeding;
import io.github.untaken.sample.database.SilentImport;
import io.github.untaken.sample.experiment.Burst;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.experiment.HeadlinePicture;
import io.github.untaken.sample.experiment.Mix;
import io.github.untaken.sample.experiment.Readiness;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.figures.Events;
import io.github.untaken.sample.figures.History;
import io.github.untaken.sample.figures.RegistryEvents;
import io.github.untaken.sample.figures.SiteMeter;
import io.github.untaken.sample.pages.AccountServlet;
import io.github.untaken.sample.pages.ActionServlet;
import io.github.untaken.sample.pages.Activity;
import io.github.untaken.sample.pages.BrowserGuard;
import io.github.untaken.sample.pages.ExperimentServlet;
import io.github.untaken.sample.pages.PageServlet;
import io.github.untaken.sample.pages.RaceServlet;
import io.github.untaken.sample.pages.SignUpPage;
import io.github.untaken.sample.pages.SignUpServlet;
import io.github.untaken.sample.pages.StartingServlet;
import io.github.untaken.sample.pages.StatsServlet;
import io.github.untaken.sample.race.Outages;
import io.github.untaken.sample.race.Race;
import io.github.untaken.sample.reads.CheckReads;
import io.github.untaken.sample.reads.CheckTraceFilter;
import io.github.untaken.sample.reads.CheckTraces;
import io.github.untaken.servlet.AvailabilityServletFilter;
import io.github.untaken.spi.IdentifierSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * The sample application: a sign-up site that answers availability from memory. Run it from the command line, or start it
 * from a test.
 */
public final class SignUpSite implements AutoCloseable {
    private static final long HEADLINE_SEED = 1;
    private static final int HEADLINE_CHECKS = 10_000;
    /** Accounts that one import behind the registry's back inserts. */
    private static final int IMPORTED = 50_000;

    private static final int LEAST_MEGABYTES = 32;

    private static final String AVAILABILITY = "/availability";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final PrintStream out;
    private int port;
    private @Nullable Experiment experiment;
    private @Nullable AvailabilityChecker checker;

    private SignUpSite(PrintStream out) {
        this.out = out;
    }

    /** Starts the site and keeps it running until the process is told to end. Exit code 2 if it cannot start. */
    public static void main(String[] arguments) {
        configureLogging();
        try {
            Options options = Options.parse(List.of(arguments));
            if (options.help()) {
                System.out.println(Options.USAGE);
                return;
            }
            requireMemory();
            SignUpSite site = start(options, System.out);
            Runtime.getRuntime().addShutdownHook(new Thread(site::close, "shutdown"));
            if (options.headline().isPresent()) {
                site.drawHeadline(options.headline().get());
                System.exit(0);
            }
        } catch (StartupException e) {
            System.err.println("sample-app: " + e.getMessage());
            System.exit(2);
        } catch (Throwable e) { // threads already started would keep the process alive for ever
            e.printStackTrace();
            System.exit(2);
        }
    }

    /** With less, the database or the checker would fail somewhere on the way. */
    private static void requireMemory() throws StartupException {
        long megabytes = Runtime.getRuntime().maxMemory() >> 20;
        if (megabytes < LEAST_MEGABYTES) {
            throw new StartupException("the heap may grow to " + megabytes + " MiB, and " + LEAST_MEGABYTES
                    + " are needed; start it with -Xmx64m, or with -Xmx256m for a million accounts");
        }
    }

    /** One line for each message, and only those that people should read. */
    static void configureLogging() {
        String file = "logging.properties";
        try (InputStream settings = SignUpSite.class.getResourceAsStream(file)) {
            LogManager.getLogManager()
                    .readConfiguration(Objects.requireNonNull(settings, "the jar has no " + file + "; build it again"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the site answers HTTP; it may still be warming up. */
    static SignUpSite start(Options options, PrintStream out) throws StartupException {
        return start(options, out, UnaryOperator.identity());
    }

    /** @param source makes of the database's identifiers what the checker is to see of them */
    static SignUpSite start(Options options, PrintStream out, UnaryOperator<IdentifierSource> source)
            throws StartupException {
        SignUpSite site = new SignUpSite(out);
        try {
            site.open(options, source);
            return site;
        } catch (StartupException | RuntimeException | Error e) {
            site.close();
            throw e;
        }
    }

    private void open(Options options, UnaryOperator<IdentifierSource> seenAs) throws StartupException {
        DataDirectory directory = closing(DataDirectory.open(options.database().directory()));
        if (options.headline().isPresent()) {
            new PictureFile(options.headline().get()).requireWritable();
        }
        Seeding seeding = new Seeding(options.database().users());
        if (directory.hasDatabase()) {
            seeding.filled();
        }
        WebServer web = closing(new WebServer(options.web().port(), AVAILABILITY));
        web.start(new WebServer.Pages().filter("/*", new BrowserGuard()).servlet("/*", new StartingServlet(seeding)));
        port = web.port();
        out.println("Listening: " + address());
        SampleDatabase database = closing(
                SampleDatabase.open(directory, seeding, options.database().tuning(), out));
        if (options.database().usersGiven() && options.database().users() != database.seededUsers()) {
            out.printf(
                    Locale.ROOT,
                    "The database in %s was seeded with %,d accounts before; --users has no effect on it%n",
                    directory,
                    database.seededUsers());
        }
        Accounts accounts = closing(new Accounts(database.dataSource(), Clock.systemUTC()));
        Events events = new Events(Clock.systemUTC());

        Readiness readiness = new Readiness();
        CheckReads checkReads = new CheckReads();
        CheckReads filterReads = new CheckReads();
        CheckTraces traces = new CheckTraces(checkReads);
        IdentifierSource source = seenAs.apply(JpaIdentifiers.of(accounts.factory()));
        AvailabilityChecker checker = closing(AvailabilityChecker.builder()
                .source(source)
                .normalizer(IdentifierKind.USERNAME, PlainReads.USERNAMES)
                .reserved(IdentifierKind.USERNAME, PlainReads.RESERVED)
                .normalizer(IdentifierKind.PHONE, PlainReads.PHONES)
                // No other process can open the file, so none can write while the database is stopped.
                .whenUnreachable(WhenUnreachable.MEMORY)
                .unreachableFor(Duration.ofDays(1))
                // During the first scan of a million rows, a check should wait rather than give up.
                .recheckTimeout(Duration.ofSeconds(10))
                .auditRows(options.audits().rowsEach())
                .auditInterval(options.audits().interval())
                .listener(new RegistryEvents(events, traces, readiness::changed))
                .build());
        this.checker = checker;
        SilentImport imported = new SilentImport(database.dataSource(), IMPORTED);
        SiteMeter meter = new SiteMeter(checker, List.of(checkReads, filterReads), imported);
        History history = closing(new History(meter, Clock.systemUTC()));
        Turn turn = new Turn();
        Experiment shown = new Experiment(
                checker,
                checkReads,
                PlainReads.of(source, new CheckReads()),
                PlainReads.of(source, filterReads),
                meter::checks,
                database.seededUsers(),
                turn,
                readiness);

        Race race = closing(new Race(
                checker,
                traces,
                PlainReads.of(source, new CheckReads()),
                PlainReads.of(source, new CheckReads()),
                database.seededUsers(),
                turn,
                database::running));
        Outages outages =
                closing(new Outages(options.outageInterval(), switched(database, events), turn, System::nanoTime));

        Burst burst = new Burst(URI.create(address()).resolve(AVAILABILITY), database.seededUsers());
        Activity activity = new Activity(history, events, shown, imported, burst, turn);

        SignUpPage signUpPage = new SignUpPage(database);
        AvailabilityServletFilter endpoint = availability(checker, options.web().clientLimit());
        closing(web); // once more, to be closed before all that it uses
        web.serve(new WebServer.Pages()
                .filter("/*", new BrowserGuard())
                .filter(AVAILABILITY, new CheckTraceFilter(traces))
                .filter("/*", endpoint)
                .servlet("/signup", new SignUpServlet(checker, accounts, signUpPage))
                .servlet(AccountServlet.PATH + "*", new AccountServlet(checker, accounts))
                .servlet(StartingServlet.PATH, new StartingServlet.Over())
                .servlet("/stats", new StatsServlet(checker, endpoint, meter, options.audits(), database, activity))
                .servlet(
                        ActionServlet.PATH + "*",
                        new ActionServlet(checker, meter, database, imported, burst, events, turn))
                .servlet("/race", new RaceServlet(race, outages, checker, database, turn))
                .servlet("/experiment/*", new ExperimentServlet(shown, database))
                .servlet("/*", new PageServlet(database)));
        experiment = shown;
        parts.push(shown::close); // these two first, so that the web server need not wait for them
        parts.push(imported::close);
        history.start();
        race.start();
        outages.start();
        out.println("Ready: " + address());
        closing(new WarmUp(checker, out)).start();
    }

    private static Outages.Switch switched(SampleDatabase database, Events events) {
        return new Outages.Switch() {
            @Override
            public boolean stop() {
                boolean stopped = database.stop();
                if (stopped) {
                    events.add("stopped", "", "");
                }
                return stopped;
            }

            @Override
            public boolean start() {
                try {
                    if (database.start()) {
                        events.add("started", "", "");
                    }
                    return true;
                } catch (SQLException e) {
                    return false; // tried again until it does
                }
            }
        };
    }

    // Explicitly unguarded, as a demonstration may be; the filter says at start what production needs instead.
    private static AvailabilityServletFilter availability(AvailabilityChecker checker, OptionalInt clientLimit) {
        ClientLimiter limiter = clientLimit.isPresent()
                ? ClientLimiter.perMinute(clientLimit.getAsInt(), clientLimit.getAsInt())
                : ClientLimiter.unlimited();
        return new AvailabilityServletFilter(
                checker,
                EndpointSettings.builder()
                        .limiter(limiter)
                        .gate(RequestGate.allowAll())
                        .path(AVAILABILITY)
                        .exposeDecision(true)
                        .build());
    }

    /** Waits until all is answered from memory, runs the experiment of seed 1 and draws it. */
    void drawHeadline(Path file) throws StartupException {
        Experiment drawn = Objects.requireNonNull(experiment, "not started");
        try {
            drawn.awaitReady();
            if (!drawn.begin()) {
                throw new StartupException("--headline cannot be drawn while somebody runs another experiment");
            }
            try {
                new PictureFile(file)
                        .write(HeadlinePicture.svg(drawn.run(HEADLINE_SEED, HEADLINE_CHECKS, Mix.DEFAULT)));
            } finally {
                drawn.end();
            }
            out.println("Drawn: " + file);
        } catch (Experiment.CancelledException | InterruptedException e) {
            throw new StartupException("--headline was not drawn: the experiment was cancelled", e);
        }
    }

    /** What the site asks, for those who would ask the same past HTTP. */
    AvailabilityChecker checker() {
        return Objects.requireNonNull(checker, "not started");
    }

    public String address() {
        return "http://localhost:" + port + "/";
    }

    private <T extends AutoCloseable> T closing(T part) {
        parts.push(part);
        return part;
    }

    /** Stops answering, then ends the database in good order. Closing twice is closing once. */
    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                System.getLogger(SignUpSite.class.getName())
                        .log(System.Logger.Level.WARNING, "A part of the site did not shut down cleanly", e);
            }
        }
    }
}
