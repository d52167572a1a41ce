package io.github.untaken.sample;

import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.pages.StatsServlet;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the command line asked for.
 *
 * @param outageInterval from one outage that the first page makes to the next; zero for none
 * @param headline file to draw the picture of an experiment into, and then to end; empty to serve
 * @param help whether only the usage was asked for
 */
record Options(
        Web web,
        Database database,
        StatsServlet.Audits audits,
        Duration outageInterval,
        Optional<Path> headline,
        boolean help) {

    /**
     * How it is served.
     *
     * @param port TCP port on the loopback interface, 0 to 65,535; 0 picks a free one
     * @param clientLimit checks each client may make in a minute, or empty for no limit
     */
    record Web(int port, OptionalInt clientLimit) {}

    /**
     * What it stores accounts in.
     *
     * @param users accounts a new one is seeded with, 0 to {@link MadeUpAccounts#MOST}
     * @param usersGiven whether {@code users} was said rather than assumed
     * @param tuning how it reads its file
     */
    record Database(Path directory, int users, boolean usersGiven, SampleDatabase.Tuning tuning) {}

    static final String USAGE = String.join(
            System.lineSeparator(),
            "Usage: java -jar sample-app.jar [options]",
            "",
            "A sign-up site that answers \"is this name free?\" from memory. Open the address it prints.",
            "",
            "  --port N              port on localhost, 0 picks a free one (default 8080)",
            "  --users N             accounts to seed a new database with (default 1000000)",
            "                        0 to " + MadeUpAccounts.MOST + "; an existing database keeps what it has",
            "  --data DIR            directory of the database, made where needed (default sample-data)",
            "  --client-limit N      checks each client may make in a minute (default: no limit)",
            "  --page-cache MB       page cache of the database, 1 to 1024 (default 1, so that it really reads)",
            "  --direct-reads        read past the operating system's cache, where the file system allows it",
            "  --audit-rows N        accounts looked up in memory by each audit of it, 0 for no audits (default 64)",
            "  --audit-seconds N     from one audit to the next, 1 to 3600 (default 10)",
            "  --outage-seconds N    how often the first page stops the database for five seconds, while somebody looks",
            "                        at it; 0 for never, at most 3600 (default 60)",
            "  --headline FILE       draw the experiment of seed 1 into FILE, as SVG, and stop",
            "  --help                print this and stop",
            "",
            "An option's value may also follow an equals sign, as in --port=0. If it cannot start, it says why in one line",
            "and exits with code 2. Ctrl-C ends it; what was answered as registered is on the disk by then.");

    private static final int DEFAULT_PORT = 8080;
    private static final int DEFAULT_USERS = 1_000_000;
    private static final String DEFAULT_DATA = "sample-data";
    private static final int MOST_CACHE_MEGABYTES = 1024;
    private static final int DEFAULT_AUDIT_ROWS = 64;
    private static final int MOST_AUDIT_ROWS = 10_000;
    private static final int DEFAULT_AUDIT_SECONDS = 10;
    private static final int MOST_AUDIT_SECONDS = 3_600;
    private static final int DEFAULT_OUTAGE_SECONDS = 60;
    private static final int MOST_OUTAGE_SECONDS = 3_600;
    private static final List<String> SWITCHES = List.of("--help", "--direct-reads");
    private static final List<String> VALUED = List.of(
            "--port",
            "--users",
            "--data",
            "--client-limit",
            "--page-cache",
            "--audit-rows",
            "--audit-seconds",
            "--outage-seconds",
            "--headline");
    /** Every option there is. */
    static final List<String> NAMES =
            Stream.concat(SWITCHES.stream(), VALUED.stream()).toList();

    private static final int MOST_PER_MINUTE = 1_000_000;

    static Options parse(List<String> arguments) throws StartupException {
        int port = DEFAULT_PORT;
        int users = DEFAULT_USERS;
        Path data = Path.of(DEFAULT_DATA);
        OptionalInt clientLimit = OptionalInt.empty();
        int pageCache = SampleDatabase.Tuning.DEFAULT.pageCacheMegabytes();
        int auditRows = DEFAULT_AUDIT_ROWS;
        int auditSeconds = DEFAULT_AUDIT_SECONDS;
        int outageSeconds = DEFAULT_OUTAGE_SECONDS;
        Optional<Path> headline = Optional.empty();
        Set<String> seen = new HashSet<>();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            int equals = argument.indexOf('=');
            String option = equals < 0 ? argument : argument.substring(0, equals);
            if (!seen.add(option)) {
                throw new StartupException("option " + option + " was given twice; give it once");
            }
            if (SWITCHES.contains(option) && equals < 0) {
                continue;
            }
            if (!VALUED.contains(option)) {
                throw new StartupException("unknown option '" + argument + "'; --help lists the options");
            }
            if (equals < 0 && !rest.hasNext()) {
                throw new StartupException("option " + option + " needs a value; --help lists the options");
            }
            String value = equals < 0 ? rest.next() : argument.substring(equals + 1);
            switch (option) {
                case "--port" -> port = number(option, value, 0, 65_535);
                case "--users" -> users = number(option, value, 0, MadeUpAccounts.MOST);
                case "--client-limit" -> clientLimit = OptionalInt.of(number(option, value, 1, MOST_PER_MINUTE));
                case "--page-cache" -> pageCache = number(option, value, 1, MOST_CACHE_MEGABYTES);
                case "--audit-rows" -> auditRows = number(option, value, 0, MOST_AUDIT_ROWS);
                case "--audit-seconds" -> auditSeconds = number(option, value, 1, MOST_AUDIT_SECONDS);
                case "--outage-seconds" -> outageSeconds = number(option, value, 0, MOST_OUTAGE_SECONDS);
                case "--headline" -> headline = Optional.of(path(option, value));
                default -> data = directory(value);
            }
        }
        return new Options(
                new Web(port, clientLimit),
                new Database(
                        data,
                        users,
                        seen.contains("--users"),
                        new SampleDatabase.Tuning(pageCache, seen.contains("--direct-reads"))),
                new StatsServlet.Audits(auditRows, Duration.ofSeconds(auditSeconds)),
                Duration.ofSeconds(outageSeconds),
                headline,
                seen.contains("--help"));
    }

    private static int number(String option, String value, int least, int most) throws StartupException {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same message as for a number out of range
        }
        throw new StartupException(
                option + " must be a whole number from " + least + " to " + most + ", but was '" + value + "'");
    }

    private static Path directory(String value) throws StartupException {
        if (value.indexOf(';') >= 0) {
            throw new StartupException("--data must not contain ';', which separates settings in a database URL");
        }
        return path("--data", value);
    }

    private static Path path(String option, String value) throws StartupException {
        if (value.isBlank()) {
            throw new StartupException(option + " must name a path, but was empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new StartupException(option + " is no valid path: " + e.getReason(), e);
        }
    }
}
