package io.github.untaken.spring.boot.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every setting of the checker has a property, and each property does something and is described. */
class SettingsTest {
    /** Values that differ from the defaults. */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("untaken.filter", "bloom"),
            Map.entry("untaken.hash", "sip-hash-1-3"),
            Map.entry("untaken.recheck-threads", "2"),
            Map.entry("untaken.recheck-queue", "10"),
            Map.entry("untaken.recheck-timeout", "2s"),
            Map.entry("untaken.whitelist-size", "10"),
            Map.entry("untaken.max-announced", "10"),
            Map.entry("untaken.rescan-interval", "2h"),
            Map.entry("untaken.barrier-timeout", "2m"),
            Map.entry("untaken.scan-threads", "1"),
            Map.entry("untaken.audit-interval", "2m"),
            Map.entry("untaken.audit-rows", "10"),
            Map.entry("untaken.single-writer", "false"),
            Map.entry("untaken.when-unreachable", "memory"),
            Map.entry("untaken.unreachable-for", "2m"),
            Map.entry("untaken.catalog-interval", "10s"));

    private static UntakenProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("untaken", Bindable.of(UntakenProperties.class));
    }

    /** What only code can give: objects, and what is for tests. */
    private static final Set<String> CODE =
            Set.of("source", "store", "normalizer", "reserved", "listener", "ticker", "feed", "build");

    /** Those of the followed log, whose properties are together. */
    private static final Set<String> CLUSTER = Set.of("bound", "latest", "snapshots", "snapshotInterval");

    /** Those of one kind, which are part of its policy. */
    private static final Set<String> POLICY = Set.of("variants");

    static Stream<Method> settersOfTheChecker() {
        return Stream.of(AvailabilityCheckerBuilder.class.getMethods())
                .filter(method -> method.getDeclaringClass() == AvailabilityCheckerBuilder.class)
                .filter(method -> !CODE.contains(method.getName())
                        && !CLUSTER.contains(method.getName())
                        && !POLICY.contains(method.getName()));
    }

    /** A builder refuses what was set before: that tells what a property has set. */
    @ParameterizedTest
    @MethodSource("settersOfTheChecker")
    void aPropertySetsEachSettingOfTheChecker(Method setter) throws Exception {
        String key = "untaken." + SettingNames.dashed(setter.getName());
        assertThat(SAMPLES).as("give " + setter.getName() + " a property").containsKey(key);
        UntakenProperties properties = bound(Map.of(key, SAMPLES.get(key)));
        Object value = UntakenProperties.class.getMethod(setter.getName()).invoke(properties);

        AvailabilityCheckerBuilder untouched = AvailabilityChecker.builder();
        CheckerSettings.apply(bound(Map.of()), untouched);
        setter.invoke(untouched, value);

        AvailabilityCheckerBuilder set = AvailabilityChecker.builder();
        CheckerSettings.apply(properties, set);
        assertThatThrownBy(() -> setter.invoke(set, value))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .hasMessage(setter.getName() + " was already set");
    }

    @Test
    void aPropertySaysWhetherAnotherSpellingOfANameIsRefused() {
        assertThat(statusBesideAnotherSpelling(Map.of())).isEqualTo(Verdict.Status.TAKEN);
        assertThat(statusBesideAnotherSpelling(Map.of("untaken.policy.username.variants", "false")))
                .isEqualTo(Verdict.Status.AVAILABLE);
    }

    private static Verdict.Status statusBesideAnotherSpelling(Map<String, String> properties) {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add("Alice");
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder().store(IdentifierKind.USERNAME, store);
        CheckerSettings.apply(bound(properties), builder);
        try (AvailabilityChecker checker = builder.build()) {
            Eventually.holds("ready", () -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
            return checker.check(IdentifierKind.USERNAME, "alice").status();
        }
    }

    @Test
    void eachPropertyIsDescribedAndHasADefaultOrSaysThatItHasNone() throws Exception {
        List<String> lacking = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try (InputStream in =
                UntakenProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property : JsonMapper.shared().readTree(in).get("properties")) {
                String name = property.get("name").asString();
                String description = property.has("description")
                        ? property.get("description").asString()
                        : "";
                names.add(name);
                boolean says = description.contains("efault") || description.contains(", by kind");
                if (!description.endsWith(".") || !(says || property.has("defaultValue"))) {
                    lacking.add(name);
                }
            }
        }
        assertThat(lacking).isEmpty();
        assertThat(names).containsAll(SAMPLES.keySet());
        assertThat(names)
                .contains(
                        "untaken.enabled",
                        "untaken.await-ready",
                        "untaken.client-limit",
                        "untaken.mode",
                        "untaken.watch");
    }

    /** Of a row what stands in the column of defaults, where that is a text that can be written, or a number. */
    private static final String DEFAULT = "(?:`([^`]+)`|(-?[0-9][0-9,.]*[0-9]|[0-9]))[ ,;]";

    private static final Map<String, Pattern> ROWS = Map.of(
            "http.md", Pattern.compile("(?m)^\\| `(untaken\\.[a-z0-9.-]+)` \\| `[^`]+` \\| " + DEFAULT),
            "getting-started.md", Pattern.compile("(?m)^\\| `(untaken\\.[a-z0-9.-]+)` \\| " + DEFAULT));

    /** The table of http.md is compared with the code of the endpoint where that is. */
    @Test
    void theMetadataHasTheDefaultsThatAreDocumented() throws Exception {
        Map<String, String> documented = new TreeMap<>();
        for (String page : ROWS.keySet()) {
            Matcher row = ROWS.get(page).matcher(Files.readString(Path.of("..", "docs", page)));
            while (row.find()) {
                documented.put(
                        row.group(1),
                        row.group(2) != null ? row.group(2) : row.group(3).replace(",", ""));
            }
        }
        Map<String, String> described = new TreeMap<>();
        try (InputStream in =
                UntakenProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property : JsonMapper.shared().readTree(in).get("properties")) {
                JsonNode value = property.get("defaultValue");
                if (value != null && documented.containsKey(property.get("name").asString())) {
                    List<String> items = new ArrayList<>();
                    (value.isArray() ? value : List.of(value)).forEach(item -> items.add(item.asString()));
                    described.put(property.get("name").asString(), String.join(", ", items));
                }
            }
        }
        documented.remove(SettingKeys.AUTO_INSTALL); // it is for containers
        assertThat(described).hasSizeGreaterThan(40).isEqualTo(documented);
    }

    @Test
    void aPolicyByPropertiesDecidesWhichNamesMayBeRegistered() {
        UntakenProperties properties = bound(Map.of(
                "untaken.policy.username.least-length", "5",
                "untaken.policy.username.characters", "[a-z]",
                "untaken.policy.handle.greatest-length", "6",
                "untaken.policy.handle.characters", "ascii"));
        var store = new InMemoryIdentifierStore();
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                .store(IdentifierKind.USERNAME, store)
                .store(IdentifierKind.of("handle"), store);
        CheckerSettings.apply(properties, builder);
        try (AvailabilityChecker checker = builder.build()) {
            assertThat(checker.check(IdentifierKind.USERNAME, "anna").reason()).hasValue("too_short");
            assertThat(checker.check(IdentifierKind.USERNAME, "anna1").reason()).hasValue("illegal_character");
            assertThat(checker.check(IdentifierKind.USERNAME, "ANNAB").reason()).isEmpty();
            assertThat(checker.check(IdentifierKind.of("handle"), "toolong").reason())
                    .hasValue("too_long");
            assertThat(checker.check(IdentifierKind.of("handle"), "zo\u00EB").reason())
                    .hasValue("illegal_character");
            assertThat(checker.check(IdentifierKind.of("handle"), ".zoe").reason())
                    .hasValue("illegal_edge");
        }
    }

    @Test
    void aPropertySaysWhetherNamesHaveApostrophes() {
        assertThat(reasonOrKey(Map.of("untaken.policy.username.least-length", "3"), "O'Brien"))
                .isEqualTo("illegal_character");
        assertThat(reasonOrKey(Map.of("untaken.policy.username.apostrophes", "true"), "O'Brien"))
                .isEqualTo("o'brien");
        assertThat(reasonOrKey(
                        Map.of(
                                "untaken.policy.username.apostrophes", "true",
                                "untaken.policy.username.characters", "ascii"),
                        "O\u2019Brien"))
                .isEqualTo("o'brien");
    }

    /** The reason for which a user name is refused, or else its key. */
    private static String reasonOrKey(Map<String, String> properties, String name) {
        AvailabilityCheckerBuilder builder =
                AvailabilityChecker.builder().store(IdentifierKind.USERNAME, new InMemoryIdentifierStore());
        CheckerSettings.apply(bound(properties), builder);
        try (AvailabilityChecker checker = builder.build()) {
            return checker.check(IdentifierKind.USERNAME, name)
                    .reason()
                    .orElseGet(() -> checker.key(IdentifierKind.USERNAME, name));
        }
    }

    @Test
    void aPolicyOfAddressesLetsAddressesPass() {
        for (String characters : List.of("default", "ascii")) {
            AvailabilityCheckerBuilder builder =
                    AvailabilityChecker.builder().store(IdentifierKind.EMAIL, new InMemoryIdentifierStore());
            CheckerSettings.apply(bound(Map.of("untaken.policy.email.characters", characters)), builder);
            try (AvailabilityChecker checker = builder.build()) {
                assertThat(checker.check(IdentifierKind.EMAIL, "Ann+news@example.com")
                                .reason())
                        .isEmpty();
                assertThat(checker.key(IdentifierKind.EMAIL, "Ann+news@b\u00fccher.example"))
                        .isEqualTo("ann+news@xn--bcher-kva.example");
                assertThat(checker.check(IdentifierKind.EMAIL, "zo\u00eb@example.com")
                                .reason())
                        .isEqualTo(characters.equals("ascii") ? Optional.of("illegal_character") : Optional.empty());
            }
        }
    }

    @Test
    void propertiesSayWhetherTagsAndDotsMakeAnotherAddress() {
        AvailabilityCheckerBuilder builder =
                AvailabilityChecker.builder().store(IdentifierKind.EMAIL, new InMemoryIdentifierStore());
        CheckerSettings.apply(
                bound(Map.of(
                        "untaken.policy.email.characters", "ascii",
                        "untaken.policy.email.ignore-tags", "true",
                        "untaken.policy.email.ignore-dots-at", "gmail.com, googlemail.com")),
                builder);
        try (AvailabilityChecker checker = builder.build()) {
            assertThat(checker.key(IdentifierKind.EMAIL, "A.nn+news@GMail.com")).isEqualTo("ann@gmail.com");
            assertThat(checker.key(IdentifierKind.EMAIL, "a.n.n@googlemail.com"))
                    .isEqualTo("ann@googlemail.com");
            assertThat(checker.key(IdentifierKind.EMAIL, "a.nn+news@example.com"))
                    .isEqualTo("a.nn@example.com");
            assertThat(checker.check(IdentifierKind.EMAIL, "zo\u00eb@example.com")
                            .reason())
                    .contains("illegal_character");
        }
    }

    @ParameterizedTest
    @CsvSource({"ignore-tags, true", "ignore-tags, false", "ignore-dots-at, gmail.com"})
    void tagsAndDotsAreOfAddressesAlone(String setting, String value) {
        for (String kind : List.of("username", "handle", "phone")) {
            assertThatThrownBy(() -> CheckerSettings.apply(
                            bound(Map.of("untaken.policy." + kind + "." + setting, value)),
                            AvailabilityChecker.builder()))
                    .isInstanceOf(UntakenSetupException.class)
                    .hasMessageContaining("untaken.policy." + kind)
                    .hasMessageContaining("e-mail");
        }
    }

    @ParameterizedTest
    @CsvSource({"characters, ascii", "characters, [0-9+]", "least-length, 8", "greatest-length, 16", "apostrophes, true"
    })
    void aPolicyOfNamesIsNoneOfPhoneNumbers(String setting, String value) {
        assertThatThrownBy(() -> CheckerSettings.apply(
                        bound(Map.of("untaken.policy.phone." + setting, value)), AvailabilityChecker.builder()))
                .isInstanceOf(UntakenSetupException.class)
                .hasMessageContaining("untaken.policy.phone")
                .hasMessageContaining("phoneNormalizer");
    }

    @ParameterizedTest
    @CsvSource({
        "characters, [a-z@.]",
        "characters, letters",
        "least-length, 3",
        "greatest-length, 254",
        "apostrophes, true"
    })
    void aPolicyOfNamesIsNoneOfAddresses(String setting, String value) {
        assertThatThrownBy(() -> CheckerSettings.apply(
                        bound(Map.of("untaken.policy.email." + setting, value)), AvailabilityChecker.builder()))
                .isInstanceOf(UntakenSetupException.class)
                .hasMessageContaining("untaken.policy.email")
                .hasMessageContaining(setting);
    }

    @Test
    void aPolicyThatIsNoneNamesItsKey() {
        assertThatThrownBy(() -> CheckerSettings.apply(
                        bound(Map.of("untaken.policy.username.characters", "letters")), AvailabilityChecker.builder()))
                .isInstanceOf(UntakenSetupException.class)
                .hasMessageContaining("untaken.policy.username.characters");
    }
}
