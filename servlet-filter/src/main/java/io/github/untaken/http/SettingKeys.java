package io.github.untaken.http;

/**
 * The keys of the settings that can be written as text: init parameters of the filter or of the servlet context, or properties of a
 * framework, see {@link EndpointSettingsBuilder#properties}. Each stands for a method of the builder and has its default. Where a key ends
 * in a dot, the name of a kind follows, as in {@code untaken.mode.phone}.
 *
 * <p>Lists are separated by commas or white space. Times are a whole number with {@code ms}, {@code s}, {@code m} or {@code h}, such as
 * {@code 10ms}. Code has no key: a custom limiter, gate, listener or suggestion policy.
 */
public final class SettingKeys {
    /** The prefix of all keys; other keys are ignored. */
    public static final String PREFIX = "untaken.";

    /** Whether the endpoint exists at all: {@code true} or {@code false}. Watch rules work either way. Default {@code true}. */
    public static final String ENDPOINT_ENABLED = "untaken.endpoint-enabled";

    /** The endpoint's path within the application. Default {@code /availability}. */
    public static final String PATH = "untaken.path";

    /** A list of the kinds that are served. Default all kinds of the checker. */
    public static final String KINDS = "untaken.kinds";

    /** {@code open}, {@code limited} or {@code blind}. Default {@code limited} for phone and e-mail, else {@code open}. */
    public static final String MODE = "untaken.mode.";

    /** A list of {@code GET} and {@code POST}. Default both for open kinds, {@code POST} for others. */
    public static final String METHODS = "untaken.methods.";

    /** {@code variants} or {@code none}. Default {@code variants} for an open username, else {@code none}. */
    public static final String SUGGESTIONS = "untaken.suggestions.";

    /** Whether answers say what decided: {@code true} or {@code false}. Default {@code false}. */
    public static final String EXPOSE_DECISION = "untaken.expose-decision";

    /** Requests of one client in a minute, 1 to 60,000,000, or {@code unlimited}. Default 60. */
    public static final String CLIENT_LIMIT = "untaken.client-limit";

    /** Requests of one client at once, 1 to 1,000,000. Default 20. */
    public static final String CLIENT_BURST = "untaken.client-burst";

    /**
     * {@code open}, {@code session} or {@code header-token}, see {@link RequestGate}. Default {@code open}; limited kinds need one of them
     * written out.
     */
    public static final String GATE = "untaken.gate";

    /** The session attribute that gate {@code session} may require, and gate {@code header-token} must. */
    public static final String GATE_ATTRIBUTE = "untaken.gate-attribute";

    /** The request header of gate {@code header-token}. */
    public static final String GATE_HEADER = "untaken.gate-header";

    /** A list of the addresses and networks of trusted proxies, such as {@code 10.0.0.5}. Default none. */
    public static final String PROXIES = "untaken.proxies";

    /** {@code forwarded} or {@code x-forwarded-for}, the header these proxies write. Default {@code x-forwarded-for}. */
    public static final String PROXY_HEADER = "untaken.proxy-header";

    /** How many leading bits the IPv6 addresses of one client share, 32 to 128. Default 64. */
    public static final String IPV6_PREFIX_LENGTH = "untaken.ipv6-prefix-length";

    /**
     * The networks around a client that are limited as well, and as how many clients each: a list such as {@code ipv4/24=8}, or
     * {@code none}. Default {@code ipv4/24=8, ipv6/56=2, ipv6/48=16}.
     */
    public static final String CLIENT_NETWORKS = "untaken.client-networks";

    /** Store reads of the endpoint in a minute, for all clients together, 1 to 60,000,000. Default 60,000. */
    public static final String RECHECK_LIMIT = "untaken.recheck-limit";

    /** Store reads of the endpoint at once, 1 to 1,000,000. Default 10,000. */
    public static final String RECHECK_BURST = "untaken.recheck-burst";

    /** Answers "available" in a minute, for all clients together, 1 to 60,000,000, or {@code unlimited}. Default {@code unlimited}. */
    public static final String FREE_ANSWER_LIMIT = "untaken.free-answer-limit";

    /** Answers "available" at once, for all clients together, 1 to 1,000,000. Default 1,000. */
    public static final String FREE_ANSWER_BURST = "untaken.free-answer-burst";

    /** Answers "available" to one client in a minute, 1 to 60,000,000, or {@code unlimited}. Default {@code unlimited}. */
    public static final String CLIENT_FREE_ANSWER_LIMIT = "untaken.client-free-answer-limit";

    /** Answers "available" to one client at once, 1 to 1,000,000. Default 100. */
    public static final String CLIENT_FREE_ANSWER_BURST = "untaken.client-free-answer-burst";

    /** How many answers in one window it takes before the sweep alarm may ring, 1 or more. Default 300. */
    public static final String SWEEP_ANSWERS = "untaken.sweep-answers";

    /** The share of them that must be taken, over 0 to 1. Default 0.7. */
    public static final String SWEEP_SHARE = "untaken.sweep-share";

    /** The window of the sweep alarm, a positive time. Default {@code 1m}. */
    public static final String SWEEP_WINDOW = "untaken.sweep-window";

    /** The time steps at which blind kinds are answered, {@code 1ms} to {@code 1s}. Default {@code 10ms}. */
    public static final String BLIND_STEP = "untaken.blind-step";

    /** Checks that may wait for the store at one time, 1 to 100,000. Default 64. */
    public static final String MAX_WAITING_CHECKS = "untaken.max-waiting-checks";

    /** Form bodies that may be on their way at one time, 1 to 1,000,000. Default 256. */
    public static final String PENDING_BODIES = "untaken.pending-bodies";

    /**
     * Watch rules, separated by semicolons or line ends, such as {@code POST /signup registers username from parameter name} or
     * {@code PUT /accounts/{name} registers username from path variable name}. Default none.
     */
    public static final String WATCH = "untaken.watch";

    /** The path of {@code untaken.js} within the application, or {@code none}. Default {@code /untaken.js}. */
    public static final String SCRIPT_PATH = "untaken.script-path";

    /** The path of the OpenAPI description within the application, or {@code none}. Default {@code none}. */
    public static final String OPEN_API_PATH = "untaken.open-api-path";

    /** A list of the origins whose pages may read the answers, or {@code none}. Default {@code none}. */
    public static final String ALLOWED_ORIGINS = "untaken.allowed-origins";

    /**
     * Whether the jar installs the filter by itself where none is declared: {@code true} or {@code false}. Read from the init
     * parameters of the servlet context. Default {@code true}.
     */
    public static final String AUTO_INSTALL = "untaken.auto-install";

    private SettingKeys() {}
}
