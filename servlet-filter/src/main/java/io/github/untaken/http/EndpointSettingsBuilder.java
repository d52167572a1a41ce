package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.address.ClientNetworks;
import io.github.untaken.http.address.IpNetwork;
import io.github.untaken.http.limit.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Builds {@link EndpointSettings}. Not thread-safe. Setting a single value twice is an error; watch rules add up. */
public final class EndpointSettingsBuilder {
    final Set<String> given = new HashSet<>();
    final Set<IdentifierKind> kinds = new LinkedHashSet<>();
    final Map<IdentifierKind, Set<CheckMethod>> methods = new HashMap<>();
    final List<WatchRule> watchRules = new ArrayList<>();
    String path = "/availability";

    @Nullable String scriptPath = "/untaken.js";

    @Nullable String openApiPath;

    boolean endpointEnabled = true;
    boolean exposeDecision;
    final Map<IdentifierKind, KindMode> modes = new HashMap<>();
    final Map<IdentifierKind, SuggestionPolicy> suggestions = new HashMap<>();
    final List<IpNetwork> proxies = new ArrayList<>();
    ForwardingHeader proxyHeader = ForwardingHeader.X_FORWARDED_FOR;
    int ipv6PrefixLength = Setting.IPV6_PREFIX_LENGTH.number();
    ClientNetworks clientNetworks = ClientNetworks.usual();

    @Nullable ClientLimiter limiter;

    RequestGate gate = RequestGate.allowAll();
    BooleanSupplier registrationOpen = () -> true;
    Optional<Rate> freeAnswerLimit = Optional.empty();
    Optional<Rate> clientFreeAnswerLimit = Optional.empty();
    CrossOrigin crossOrigin = new CrossOrigin();
    Rate recheckLimit = Rate.perMinute(Setting.RECHECK_LIMIT.number(), Setting.RECHECK_BURST.number());
    OwnIdentifiers ownIdentifiers = (request, kind) -> Optional.empty();
    EndpointListener listener = new EndpointListener() {};
    EndpointSettings.SweepLimit sweepLimit =
            new EndpointSettings.SweepLimit(Setting.SWEEP_ANSWERS.number(), 0.7, Duration.ofMinutes(1));
    Duration blindStep = Duration.ofMillis(10);
    int maxWaitingChecks = Setting.MAX_WAITING_CHECKS.number();
    int pendingBodies = Setting.PENDING_BODIES.number();

    /** Only tests change it. */
    Duration bodyTime = Duration.ofSeconds(5);

    EndpointSettingsBuilder() {}

    /**
     * The path of the endpoint within the application, compared exactly after decoding. Starts with {@code /}, has no
     * {@code ?} or {@code ;}. Default {@code /availability}.
     */
    public EndpointSettingsBuilder path(String exact) {
        once("path");
        this.path = checkedPath("path", exact);
        return this;
    }

    /**
     * The path of the script {@code untaken.js} within the application, of the same form as {@link #path} and not equal to
     * it. Default {@code /untaken.js}.
     */
    public EndpointSettingsBuilder scriptPath(String exact) {
        once("scriptPath");
        this.scriptPath = checkedPath("scriptPath", exact);
        return this;
    }

    /** Leaves {@code untaken.js} to the application. */
    public EndpointSettingsBuilder withoutScript() {
        once("scriptPath");
        this.scriptPath = null;
        return this;
    }

    /**
     * The path at which the endpoint's OpenAPI description is served, of the same form as {@link #path} and not equal to another. Default
     * none: it is in the jar, and no client needs it at run time.
     */
    public EndpointSettingsBuilder openApiPath(String exact) {
        once("openApiPath");
        this.openApiPath = checkedPath("openApiPath", exact);
        return this;
    }

    private static String checkedPath(String setting, String exact) {
        if (!exact.startsWith("/") || exact.indexOf('?') >= 0 || exact.indexOf(';') >= 0) {
            throw new IllegalArgumentException(
                    setting + " must start with '/' and have no '?' or ';', but was '" + exact + "'");
        }
        return exact;
    }

    /**
     * Settings as texts, named by {@link SettingKeys}, such as init parameters or the properties of a framework. Keys that do not begin
     * with {@value SettingKeys#PREFIX} are ignored.
     *
     * @throws IllegalArgumentException if a key with that beginning is unknown, a text is not a value of its key, or the setting was
     *     already set
     */
    public EndpointSettingsBuilder properties(Map<String, String> texts) {
        SettingReader.read(texts, this);
        return this;
    }

    /**
     * Whether the endpoint and its files are served. If not, requests to them pass on to the application like all others; what keeps the
     * checker right, such as watch rules, still works. Default true.
     */
    public EndpointSettingsBuilder endpointEnabled(boolean on) {
        once("endpointEnabled");
        this.endpointEnabled = on;
        return this;
    }

    /**
     * Whether registration is open now. Asked for each request that the limit admits, on its thread, so it must be quick. If not, the
     * answer is 403 {@code registration-closed} and nothing is looked up. Default always.
     */
    public EndpointSettingsBuilder registrationOpen(BooleanSupplier open) {
        once("registrationOpen");
        this.registrationOpen = open;
        return this;
    }

    /**
     * The origins whose pages may read the answers (CORS), without cookies. Default none: only the server's own pages may.
     *
     * @param origins such as {@code https://www.example.org}, compared exactly
     * @throws IllegalArgumentException if one is not an origin
     */
    public EndpointSettingsBuilder allowedOrigins(String... origins) {
        once("allowedOrigins");
        this.crossOrigin = new CrossOrigin(origins);
        return this;
    }

    /** The kinds the endpoint answers about, at least one. Default all kinds of the checker. */
    public EndpointSettingsBuilder kinds(IdentifierKind first, IdentifierKind... more) {
        once("kinds");
        kinds.add(first);
        kinds.addAll(Arrays.asList(more));
        return this;
    }

    /** How values of a kind may be sent. Default GET and POST for kinds of mode OPEN, POST alone for others. */
    public EndpointSettingsBuilder methods(IdentifierKind kind, CheckMethod first, CheckMethod... more) {
        once("methods of " + kind);
        methods.put(kind, Collections.unmodifiableSet(EnumSet.of(first, more)));
        return this;
    }

    /**
     * Whether answers say which part decided, such as {@code filter} or {@code store}. For demonstrations: it shows strangers how the
     * registry works. Default false.
     */
    public EndpointSettingsBuilder exposeDecision(boolean expose) {
        once("exposeDecision");
        this.exposeDecision = expose;
        return this;
    }

    /**
     * How much is told about a kind. Default {@link KindMode#LIMITED} for phone and e-mail, {@link KindMode#OPEN} for other
     * kinds; phone and e-mail are never served open.
     */
    public EndpointSettingsBuilder mode(IdentifierKind kind, KindMode mode) {
        once("mode of " + kind);
        modes.put(kind, mode);
        return this;
    }

    /**
     * Names to suggest if one of an open kind is taken and the request has {@code suggestions=true}. Default
     * {@link SuggestionPolicy#variants} for user names and none for other kinds.
     */
    public EndpointSettingsBuilder suggestions(IdentifierKind kind, SuggestionPolicy policy) {
        once("suggestions of " + kind);
        suggestions.put(kind, policy);
        return this;
    }

    /** Which identifiers are the person's own, and so available to them. Default none. */
    public EndpointSettingsBuilder ownIdentifiers(OwnIdentifiers own) {
        once("ownIdentifiers");
        this.ownIdentifiers = own;
        return this;
    }

    /**
     * How often a client may ask. Default 60 requests a minute and 20 at once, see {@link ClientLimiter#perMinute}. For phone and e-mail
     * this must be set, to what they need.
     */
    public EndpointSettingsBuilder limiter(ClientLimiter clients) {
        once("limiter");
        this.limiter = clients;
        return this;
    }

    /**
     * The proxies in front of this server, and the header in which they say for whom they speak. It is read from right to left, past as
     * many of these proxies as there are; from any other peer it is not read. Default none.
     *
     * @param header the one these proxies write, and that no client can pass through them unchanged
     * @param networks IP addresses such as {@code 10.0.0.5}, or networks, at least one
     * @throws IllegalArgumentException if a network cannot be read
     */
    public EndpointSettingsBuilder proxies(ForwardingHeader header, String... networks) {
        once("proxies");
        if (networks.length == 0) {
            throw new IllegalArgumentException("proxies(...) names no network");
        }
        this.proxyHeader = header;
        for (String network : networks) {
            proxies.add(IpNetwork.parse(network));
        }
        return this;
    }

    /** How many leading bits the IPv6 addresses of one client share, 32 to 128. Default 64, the least that a customer gets. */
    public EndpointSettingsBuilder ipv6PrefixLength(int bits) {
        once("ipv6PrefixLength");
        this.ipv6PrefixLength = Setting.IPV6_PREFIX_LENGTH.checked(bits);
        return this;
    }

    /**
     * The networks around a client that are limited as well, each as so many clients: a network must not count as one client per address.
     * Default {@code ipv4/24=8}, {@code ipv6/56=2} and {@code ipv6/48=16}.
     *
     * @param sizes a family, a length from 8 to 31 or 127, and 1 to 1,000 clients; none for none
     * @throws IllegalArgumentException if one cannot be read, or two are of one size
     */
    public EndpointSettingsBuilder clientNetworks(String... sizes) {
        once("clientNetworks");
        this.clientNetworks = ClientNetworks.parse(sizes);
        return this;
    }

    /**
     * How often all clients together may make this endpoint read the store. Beyond it, checks that memory cannot answer get 503, and a
     * warning is logged once a minute. Default 60,000 a minute and 10,000 at once.
     *
     * @param reads a minute on average, 1 to 60 million
     * @param burst at once, 1 to a million
     */
    public EndpointSettingsBuilder recheckLimit(int reads, int burst) {
        once("recheckLimit");
        this.recheckLimit = Rate.perMinute(reads, burst);
        return this;
    }

    /**
     * How many "available" all clients together may hear. Beyond it every check is answered 429, and a warning is logged. Default no limit:
     * a sweep could use it up for everybody. Taken answers are bounded by {@link #recheckLimit}.
     *
     * @param answers a minute on average, 1 to 60 million
     * @param burst at once, 1 to a million
     */
    public EndpointSettingsBuilder freeAnswerLimit(int answers, int burst) {
        once("freeAnswerLimit");
        this.freeAnswerLimit = Optional.of(Rate.perMinute(answers, burst));
        return this;
    }

    /**
     * How many "available" a client may hear, and each network around it for its clients; beyond it, 429. Signing up takes a few, so the
     * rate may be far below that of {@link #limiter} and the burst above. Default no limit.
     *
     * @param answers a minute on average, 1 to 60 million
     * @param burst at once, 1 to a million
     */
    public EndpointSettingsBuilder clientFreeAnswerLimit(int answers, int burst) {
        once("clientFreeAnswerLimit");
        this.clientFreeAnswerLimit = Optional.of(Rate.perMinute(answers, burst));
        return this;
    }

    /** Told of answers, refusals and sweeps. Default nobody. */
    public EndpointSettingsBuilder listener(EndpointListener told) {
        once("listener");
        this.listener = told;
        return this;
    }

    /**
     * When {@link EndpointListener#sweepSuspected} is told, for each kind by itself. Default from 300 answers a minute on, if 0.7 of them
     * are "taken": more than two refused names for each one that somebody settles on.
     *
     * @param leastAnswers fewer in one window tell nothing, 1 or more
     * @param takenShare of them, over 0 to 1
     * @param window positive
     */
    public EndpointSettingsBuilder sweepAlarm(int leastAnswers, double takenShare, Duration window) {
        once("sweepAlarm");
        if (leastAnswers < 1 || !(takenShare > 0 && takenShare <= 1) || window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("sweepAlarm needs 1 or more answers, a share over 0 to 1 and a positive"
                    + " window, but was " + leastAnswers + ", " + takenShare + ", " + window);
        }
        this.sweepLimit = new EndpointSettings.SweepLimit(leastAnswers, takenShare, window);
        return this;
    }

    /**
     * The time steps at which requests about blind kinds are answered, 1 ms to 1 s; should be longer than any check from memory takes.
     * Default 10 ms. No thread waits, unless asynchronous support is off.
     */
    public EndpointSettingsBuilder blindStep(Duration step) {
        once("blindStep");
        if (step.compareTo(Duration.ofMillis(1)) < 0 || step.compareTo(Duration.ofSeconds(1)) > 0) {
            throw new IllegalArgumentException("blindStep must be 1 ms to 1 s, but was " + step);
        }
        this.blindStep = step;
        return this;
    }

    /**
     * How many checks may wait for the store at one time, 1 to 100,000; each holds its thread meanwhile, one second at most by default.
     * Beyond it, checks that memory cannot answer get 503 at once. Default 64; keep it under a third of the container's request threads, so
     * that a store that stands still leaves the others free.
     */
    public EndpointSettingsBuilder maxWaitingChecks(int most) {
        once("maxWaitingChecks");
        this.maxWaitingChecks = Setting.MAX_WAITING_CHECKS.checked(most);
        return this;
    }

    /**
     * How many form bodies may be on their way at one time, 1 to 1,000,000. Default 256. Each may take five seconds and holds no thread.
     * Beyond it, the oldest from the network that has most of them is answered 408 at once. A body that is complete when its request comes
     * is not counted.
     */
    public EndpointSettingsBuilder pendingBodies(int most) {
        once("pendingBodies");
        this.pendingBodies = Setting.PENDING_BODIES.checked(most);
        return this;
    }

    /** Which requests may ask. Default {@link RequestGate#allowAll}, which is not enough for phone and e-mail. */
    public EndpointSettingsBuilder gate(RequestGate requests) {
        once("gate");
        this.gate = requests;
        return this;
    }

    /** A request that may register an identifier, for applications with no other way to tell. */
    public EndpointSettingsBuilder watch(WatchRule rule) {
        watchRules.add(rule);
        return this;
    }

    /** The settings. Whether they fit the checker shows when the filter is made. */
    public EndpointSettings build() {
        refuseEqual("path", path, "scriptPath", scriptPath);
        refuseEqual("path", path, "openApiPath", openApiPath);
        refuseEqual("openApiPath", openApiPath, "scriptPath", scriptPath);
        return new EndpointSettings(this);
    }

    private static void refuseEqual(String one, @Nullable String path, String other, @Nullable String otherPath) {
        if (path != null && path.equals(otherPath)) {
            throw new IllegalArgumentException(one + " and " + other + " must differ, but both were '" + path + "'");
        }
    }

    private void once(String setting) {
        if (!given.add(setting)) {
            throw new IllegalStateException(setting + " was already set");
        }
    }
}
