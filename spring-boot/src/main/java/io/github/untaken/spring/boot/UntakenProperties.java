package io.github.untaken.spring.boot;

import io.github.untaken.WhenUnreachable;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the checker and of its endpoint. What is not set keeps the default of {@code AvailabilityCheckerBuilder} or {@code
 * SettingKeys}, which say more about each. A key under {@code untaken} that is not among these is an error.
 *
 * @param enabled Whether anything is configured at all.
 * @param awaitReady How long the start waits for the first scan, so that answers come from memory from the first request on. Zero does not wait. For tests above all.
 * @param problemDetails Whether the problem details (RFC 9457) of a request to a RestController name the fields that are taken, reserved or invalid.
 * @param filter Kind of the membership filter.
 * @param hash How keys are hashed.
 * @param filterOrder Place of the endpoint among the servlet filters. The default is right behind Spring Security, which therefore decides who may ask.
 * @param recheckThreads Threads that read the store, for all kinds together, 1 to 256. So many connections may be in use.
 * @param recheckQueue Store reads that may wait, 1 to 1,000,000.
 * @param recheckTimeout How long a check waits for the store, 1 ms to 1 minute.
 * @param whitelistSize Names proved absent that are remembered for each kind, 0 to 100,000,000.
 * @param maxAnnounced Texts of statements under way that are kept for the scans to come, for each kind, 1 to 10,000,000.
 * @param rescanInterval How often the store is scanned anew, 1 s to 365 days.
 * @param barrierTimeout How long a scan waits for transactions that were open when it began, 1 ms to 1 day.
 * @param scanThreads Threads that one scan uses, each with a connection, 1 to 64.
 * @param auditInterval How often samples of memory and store are compared, 1 s to 365 days.
 * @param auditRows Rows that one audit samples, 0 to 100,000. Zero for no audits.
 * @param singleWriter Whether processes that write the database detect each other by marks in it. With false you assert that no other process does; without that, a store that cannot tell answers every check.
 * @param whenUnreachable How checks are answered while the database does not respond and the log is not followed: ask (the database is asked, so free names are unknown) or memory.
 * @param unreachableFor How long at most memory answers then, 1 s to 1 day.
 * @param catalogInterval How often to look whether the tables have changed, 100 ms to 1 hour. Memory is trusted for two and a half times as long; a serverless database needs a longer interval to be able to sleep.
 * @param cluster How the database's log is followed, where several processes write it.
 * @param tables Columns that hold the identifiers of a kind, by kind, such as 'users.username', with the schema before it if need be, and behind it which rows count if not all do, 'users.username where deleted_at is null'; or a list of some. The data source is watched for what is written there. None by default.
 * @param policy Which names of a kind may be registered, by kind. With lengths or characters a kind gets the normalizer of user names, but for email.
 * @param reserved What nobody may register, by kind, as a list of the word 'defaults' and of resources with a name in each line, such as 'file:/etc/names.txt'. The word 'none' is the empty list.
 * @param reservedQuery A query whose first column gives names that nobody may register, by kind. They are added to the others.
 * @param reservedRefresh How often files and tables of reserved names are read again, 1 s or more.
 * @param endpointEnabled Whether the endpoint and untaken.js are served; the checker, health, metrics and watch rules work either way.
 * @param path Path of the endpoint within the application.
 * @param kinds Kinds that are served. All kinds of the checker by default, phone and email only once they are protected.
 * @param mode How a kind is answered, by kind: open, limited or blind. By default limited for phone and email, else open.
 * @param methods Methods by which a kind may be asked, by kind: GET, POST. By default both for open kinds, POST for others.
 * @param suggestions Suggestions beside a taken name, by kind: variants or none. By default variants for an open username, else none.
 * @param exposeDecision Whether answers say what decided.
 * @param clientLimit Requests of one client in a minute, 1 to 60,000,000, or 'unlimited'.
 * @param clientBurst Requests of one client at once, 1 to 1,000,000.
 * @param gate Who may ask: open, session or header-token. Limited kinds need it to be set.
 * @param gateAttribute Session attribute that gate 'session' may, and gate 'header-token' must look for. None by default.
 * @param gateHeader Request header of gate 'header-token'. None by default.
 * @param proxies Addresses and networks of trusted proxies, such as 10.0.0.5. None by default.
 * @param proxyHeader Header these proxies write: x-forwarded-for or forwarded.
 * @param ipv6PrefixLength Leading bits in which the IPv6 addresses of one client agree, 32 to 128.
 * @param clientNetworks Networks around a client that are limited as well, and as how many clients, such as ipv4/24=8, or 'none'.
 * @param recheckLimit Store reads of the endpoint in a minute, for all clients together, 1 to 60,000,000.
 * @param recheckBurst Store reads of the endpoint at once, 1 to 1,000,000.
 * @param freeAnswerLimit Answers 'available' in a minute, for all clients together, 1 to 60,000,000, or 'unlimited'.
 * @param freeAnswerBurst Answers 'available' at once, for all clients together, 1 to 1,000,000.
 * @param clientFreeAnswerLimit Answers 'available' to one client in a minute, 1 to 60,000,000, or 'unlimited'.
 * @param clientFreeAnswerBurst Answers 'available' to one client at once, 1 to 1,000,000.
 * @param sweepAnswers Answers in one window from which on the sweep alarm may ring, 1 or more.
 * @param sweepShare Share of them that must be taken, over 0 to 1.
 * @param sweepWindow Window of the sweep alarm, more than zero.
 * @param blindStep Steps of time in which blind kinds are answered, 1 ms to 1 s.
 * @param maxWaitingChecks Checks of the endpoint that may wait for the store at one time, 1 to 100,000.
 * @param pendingBodies Form bodies that may be on their way at one time, 1 to 1,000,000.
 * @param watch Watch rules, such as 'POST /signup registers username from parameter name', separated by semicolons or line ends. None by default.
 * @param scriptPath Path of untaken.js within the application, or 'none'.
 * @param openApiPath Path of the OpenAPI description within the application, or 'none'.
 * @param allowedOrigins Origins whose pages may read the answers, or 'none'.
 */
@ConfigurationProperties(prefix = "untaken", ignoreUnknownFields = false)
public record UntakenProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("0s") Duration awaitReady,
        @DefaultValue("true") boolean problemDetails,
        @DefaultValue("-99") int filterOrder,
        @Nullable FilterType filter,
        @Nullable HashAlgorithm hash,
        @Nullable Integer recheckThreads,
        @Nullable Integer recheckQueue,
        @Nullable Duration recheckTimeout,
        @Nullable Long whitelistSize,
        @Nullable Integer maxAnnounced,
        @Nullable Duration rescanInterval,
        @Nullable Duration barrierTimeout,
        @Nullable Integer scanThreads,
        @Nullable Duration auditInterval,
        @Nullable Integer auditRows,
        @Nullable Boolean singleWriter,
        @Nullable WhenUnreachable whenUnreachable,
        @Nullable Duration unreachableFor,
        @Nullable Duration catalogInterval,
        @DefaultValue Cluster cluster,
        @DefaultValue Map<String, List<String>> tables,
        @DefaultValue Map<String, Policy> policy,
        @DefaultValue Map<String, List<String>> reserved,
        @DefaultValue Map<String, String> reservedQuery,
        @DefaultValue("1m") Duration reservedRefresh,
        @Nullable Boolean endpointEnabled,
        @Nullable String path,
        @Nullable List<String> kinds,
        @DefaultValue Map<String, String> mode,
        @DefaultValue Map<String, List<String>> methods,
        @DefaultValue Map<String, String> suggestions,
        @Nullable Boolean exposeDecision,
        @Nullable String clientLimit,
        @Nullable Integer clientBurst,
        @Nullable String gate,
        @Nullable String gateAttribute,
        @Nullable String gateHeader,
        @Nullable List<String> proxies,
        @Nullable String proxyHeader,
        @Nullable Integer ipv6PrefixLength,
        @Nullable List<String> clientNetworks,
        @Nullable Integer recheckLimit,
        @Nullable Integer recheckBurst,
        @Nullable String freeAnswerLimit,
        @Nullable Integer freeAnswerBurst,
        @Nullable String clientFreeAnswerLimit,
        @Nullable Integer clientFreeAnswerBurst,
        @Nullable Integer sweepAnswers,
        @Nullable Double sweepShare,
        @Nullable Duration sweepWindow,
        @Nullable Duration blindStep,
        @Nullable Integer maxWaitingChecks,
        @Nullable Integer pendingBodies,
        @Nullable String watch,
        @Nullable String scriptPath,
        @Nullable String openApiPath,
        @Nullable List<String> allowedOrigins) {

    /**
     * How this process hears of what others commit. Needs untaken-cluster-postgresql or untaken-cluster-mysql on the class path, by the address of the database, or a bean of type ChangeFeed.
     *
     * @param enabled Whether the log of PostgreSQL, MySQL or MariaDB is followed, by the address of the database.
     * @param bound Beyond this age of its news memory calls nothing available, 20 ms to 1 minute.
     * @param latest Kinds of which each check waits for the latest news. None by default.
     * @param snapshots Folder of this process alone in which what serves is kept, so that a restart needs no scan. None by default.
     * @param snapshotInterval How often it is written, 1 s to 1 day; until then the database keeps its log.
     * @param url Address of the primary, past any pooler or proxy. That of the data source by default.
     * @param username User that may replicate, or read the binary log. That of the data source by default.
     * @param password Its password. That of the data source by default.
     * @param properties Connection properties of the driver, such as sslmode. None by default.
     * @param publication Publication to be read. Of PostgreSQL alone, as are the next five.
     * @param createPublication Whether a publication that does not exist is created.
     * @param keepSlots Whether slots outlast lost connections even where nothing limits what the server keeps for them.
     * @param slotTimeout How long making a slot waits for open transactions, 1 s to 1 hour.
     * @param slots How many processes may follow the log for this publication at once, 1 to 64; the same for all of them.
     * @param orphanAge How long a slot stays that no process reads, 1 s to 30 days.
     */
    public record Cluster(
            @DefaultValue("false") boolean enabled,
            @Nullable Duration bound,
            @DefaultValue List<String> latest,
            @Nullable Path snapshots,
            @Nullable Duration snapshotInterval,
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue Map<String, String> properties,
            @Nullable String publication,
            @Nullable Boolean createPublication,
            @Nullable Boolean keepSlots,
            @Nullable Duration slotTimeout,
            @Nullable Integer slots,
            @Nullable Duration orphanAge) {}

    /**
     * Which names may be registered; lengths are characters of the key. For e-mail addresses there are no lengths, and for phone numbers neither those nor characters.
     *
     * @param leastLength Shortest name, 1 or more, 3 by default. A Han character or Hangul syllable counts as three, a kana or another letter without a capital as two.
     * @param greatestLength Longest name, at most 1,000, 32 by default.
     * @param characters Characters allowed: default (letters and digits of any script, and . _ -), ascii (a to z, 0 to 9, and . _ -), or a character class such as [a-z0-9]. For e-mail addresses default or ascii.
     * @param apostrophes Whether names may have apostrophes between letters, and the Catalan middle dot. Not for e-mail addresses, which may anyhow. False by default.
     * @param ignoreTags Of email alone: whether what stands after a + before the @ makes no other address. False by default.
     * @param ignoreDotsAt Of email alone: domains at which dots before the @ make no other address, such as gmail.com. None by default.
     * @param variants Whether a name is refused that the database would take beside one in another spelling, such as alice beside Alice. True by default for username.
     */
    public record Policy(
            @Nullable Integer leastLength,
            @Nullable Integer greatestLength,
            @Nullable String characters,
            @Nullable Boolean apostrophes,
            @Nullable Boolean ignoreTags,
            @Nullable List<String> ignoreDotsAt,
            @Nullable Boolean variants) {}
}
