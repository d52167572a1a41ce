package io.github.untaken.http;

import java.util.Locale;

/**
 * What is known of each setting that can be written as text. From here come the builder's numbers, the reader's keys, and the table in
 * docs/http.md.
 */
enum Setting {
    ENDPOINT_ENABLED(
            SettingKeys.ENDPOINT_ENABLED,
            "endpointEnabled",
            "`true`",
            "`false`: neither endpoint nor files; watch rules work on"),
    PATH(SettingKeys.PATH, "path", "`/availability`", "within the application"),
    KINDS(SettingKeys.KINDS, "kinds", "all of the checker", "a list"),
    MODE(SettingKeys.MODE, "mode", "`limited` for phone and e-mail, else `open`", "`open`, `limited`, `blind`"),
    METHODS(SettingKeys.METHODS, "methods", "both if open, else `POST`", "a list of `GET`, `POST`"),
    SUGGESTIONS(
            SettingKeys.SUGGESTIONS,
            "suggestions",
            "`variants` for an open username, else `none`",
            "`variants`, `none`; in code any policy"),
    EXPOSE_DECISION(SettingKeys.EXPOSE_DECISION, "exposeDecision", "`false`", "`true`, `false`"),
    CLIENT_LIMIT(
            SettingKeys.CLIENT_LIMIT,
            "limiter",
            60,
            "a minute",
            1,
            60_000_000,
            ", or `unlimited`; in code any limiter"),
    CLIENT_BURST(SettingKeys.CLIENT_BURST, "limiter", 20, "at once", 1, 1_000_000),
    GATE(
            SettingKeys.GATE,
            "gate",
            "`open`; limited kinds need it written out",
            "`open`, `session`, `header-token`; in code any gate"),
    GATE_ATTRIBUTE(
            SettingKeys.GATE_ATTRIBUTE,
            "gate",
            "any session",
            "the session attribute that is needed, or holds the token"),
    GATE_HEADER(SettingKeys.GATE_HEADER, "gate", "-", "the header of `header-token`"),
    PROXIES(
            SettingKeys.PROXIES,
            "proxies",
            "none",
            "a list of addresses and networks, such as `10.0.0.5`; whoever has one of them can be anybody"),
    PROXY_HEADER(SettingKeys.PROXY_HEADER, "proxies", "`x-forwarded-for`", "`x-forwarded-for`, `forwarded`"),
    IPV6_PREFIX_LENGTH(SettingKeys.IPV6_PREFIX_LENGTH, "ipv6PrefixLength", 64, "bits", 32, 128),
    CLIENT_NETWORKS(
            SettingKeys.CLIENT_NETWORKS,
            "clientNetworks",
            "`ipv4/24=8, ipv6/56=2, ipv6/48=16`",
            "a list of families, lengths, and clients that each counts for; or `none`"),
    RECHECK_LIMIT(SettingKeys.RECHECK_LIMIT, "recheckLimit", 60_000, "a minute", 1, 60_000_000),
    RECHECK_BURST(SettingKeys.RECHECK_BURST, "recheckLimit", 10_000, "at once", 1, 1_000_000),
    FREE_ANSWER_LIMIT(
            SettingKeys.FREE_ANSWER_LIMIT,
            "freeAnswerLimit",
            "`unlimited`",
            "1 to 60,000,000 a minute, or `unlimited`",
            0,
            1,
            60_000_000),
    FREE_ANSWER_BURST(SettingKeys.FREE_ANSWER_BURST, "freeAnswerLimit", 1_000, "at once", 1, 1_000_000),
    CLIENT_FREE_ANSWER_LIMIT(
            SettingKeys.CLIENT_FREE_ANSWER_LIMIT,
            "clientFreeAnswerLimit",
            "`unlimited`",
            "1 to 60,000,000 a minute, or `unlimited`",
            0,
            1,
            60_000_000),
    CLIENT_FREE_ANSWER_BURST(
            SettingKeys.CLIENT_FREE_ANSWER_BURST, "clientFreeAnswerLimit", 100, "at once", 1, 1_000_000),
    SWEEP_ANSWERS(SettingKeys.SWEEP_ANSWERS, "sweepAlarm", 300, "in a window", 1, Integer.MAX_VALUE),
    SWEEP_SHARE(SettingKeys.SWEEP_SHARE, "sweepAlarm", "0.7 of them taken", "over 0 to 1"),
    SWEEP_WINDOW(SettingKeys.SWEEP_WINDOW, "sweepAlarm", "`1m`", "a time over zero"),
    BLIND_STEP(SettingKeys.BLIND_STEP, "blindStep", "`10ms`", "`1ms` to `1s`"),
    MAX_WAITING_CHECKS(SettingKeys.MAX_WAITING_CHECKS, "maxWaitingChecks", 64, "at one time", 1, 100_000),
    PENDING_BODIES(SettingKeys.PENDING_BODIES, "pendingBodies", 256, "at one time", 1, 1_000_000),
    WATCH(SettingKeys.WATCH, "watch", "none", "rules as above, separated by semicolons or line ends"),
    SCRIPT_PATH(SettingKeys.SCRIPT_PATH, "scriptPath", "`/untaken.js`", "a path, or `none`"),
    OPEN_API_PATH(SettingKeys.OPEN_API_PATH, "openApiPath", "`none`", "a path, or `none`"),
    ALLOWED_ORIGINS(
            SettingKeys.ALLOWED_ORIGINS,
            "allowedOrigins",
            "`none`",
            "a list such as `https://www.example.org`, or `none`"),
    AUTO_INSTALL(SettingKeys.AUTO_INSTALL, "-", "`true`", "`true`, `false`; a context parameter");

    private final String key;
    private final String method;
    private final String absent;
    private final String values;
    private final int number;
    private final int least;
    private final int most;

    /** A number from {@code least} to {@code most}, {@code number} by default. */
    Setting(String key, String method, int number, String unit, int least, int most, String others) {
        this(key, method, grouped(number) + ' ' + unit, range(least, most) + others, number, least, most);
    }

    Setting(String key, String method, int number, String unit, int least, int most) {
        this(key, method, number, unit, least, most, "");
    }

    /** Another text, with no more than a description of its values. */
    Setting(String key, String method, String absent, String values) {
        this(key, method, absent, values, 0, 0, 0);
    }

    Setting(String key, String method, String absent, String values, int number, int least, int most) {
        this.key = key;
        this.method = method;
        this.absent = absent;
        this.values = values;
        this.number = number;
        this.least = least;
        this.most = most;
    }

    String key() {
        return key;
    }

    /** The builder's method. */
    String method() {
        return method;
    }

    /** Whether the name of a kind follows. */
    boolean isOfKinds() {
        return key.endsWith(".");
    }

    boolean isNamedBy(String given) {
        return isOfKinds() ? given.startsWith(key) && !given.equals(key) : given.equals(key);
    }

    /** The default. */
    int number() {
        return number;
    }

    /** The number in a text. */
    int number(String text) {
        return SettingText.whole(text, least, most);
    }

    int checked(int given) {
        if (given < least || given > most) {
            throw new IllegalArgumentException(method + " must be " + range(least, most) + ", but was " + given);
        }
        return given;
    }

    /** A row of the table in the documentation. */
    String row() {
        return "| `" + key + (isOfKinds() ? "<kind>" : "") + "` | `" + method + "` | " + absent + " | " + values + " |";
    }

    private static String range(int least, int most) {
        return grouped(least) + (most == Integer.MAX_VALUE ? " or more" : " to " + grouped(most));
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
