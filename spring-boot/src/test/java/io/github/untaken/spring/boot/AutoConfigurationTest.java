package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.servlet.AvailabilityServletFilter;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import io.github.untaken.validation.Available;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import jakarta.persistence.EntityManagerFactory;
import jakarta.validation.ConstraintValidatorFactory;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

/** Each condition by itself: what is there, what is missing, what the application brings. */
class AutoConfigurationTest {
    private static final AutoConfigurations OURS = OurAutoConfigurations.of(
            "UntakenJpaAutoConfiguration",
            "UntakenClusterAutoConfiguration",
            "UntakenAutoConfiguration",
            "UntakenEndpointAutoConfiguration",
            "UntakenMetricsAutoConfiguration",
            "UntakenHealthAutoConfiguration",
            "UntakenActuatorAutoConfiguration",
            "UntakenTransactionAutoConfiguration",
            "UntakenValidationAutoConfiguration",
            "UntakenWebFluxAutoConfiguration",
            "UntakenReactiveAutoConfiguration");

    private static final Supplier<RegisteredIdentifierStore> NAMES = () -> {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add("alice");
        return store;
    };

    private final WebApplicationContextRunner bare = new WebApplicationContextRunner()
            .withConfiguration(OURS)
            .withPropertyValues("management.endpoints.web.exposure.include=untaken", "untaken.recheck-timeout=30s");

    private final WebApplicationContextRunner web =
            bare.withBean("usernameStore", RegisteredIdentifierStore.class, NAMES);

    private static Verdict.Status status(ApplicationContext context, String name) {
        return context.getBean(AvailabilityChecker.class)
                .check(IdentifierKind.USERNAME, name)
                .status();
    }

    private static MockHttpServletResponse ask(ApplicationContext context, String kind, String text) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/availability");
        request.setServletPath("/availability");
        request.setQueryString(kind + "=" + text);
        MockHttpServletResponse response = new MockHttpServletResponse();
        context.getBean(FilterRegistrationBean.class).getFilter().doFilter(request, response, new MockFilterChain());
        return response;
    }

    private static FailureAnalysis refusal(Throwable failure) {
        return Refusals.of(failure);
    }

    @Test
    void aStoreAsABeanIsEnough() {
        web.run(context -> {
            assertThat(status(context, "Alice")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(ask(context, "username", "alice").getContentAsString()).contains("taken");
            assertThat(context.getBean(FilterRegistrationBean.class).isEnabled())
                    .isTrue();
            assertThat(context).hasSingleBean(TransactionalRegistrations.class);
            assertThat(context).hasSingleBean(DuplicateKeys.class);
            assertThat(context).hasBean("untakenEndpoint");
            assertThat(context).hasSingleBean(HealthIndicator.class);
        });
    }

    /** Those of other packages are named by texts, which no compiler reads. */
    @Test
    void whatOneOfOursComesAfterIsRegistered() {
        List<String> ours = OurAutoConfigurations.names();
        assertThat(OurAutoConfigurations.all())
                .flatMap(each ->
                        List.of(each.getAnnotation(AutoConfiguration.class).afterName()))
                .filteredOn(name -> name.startsWith("io.github.untaken."))
                .hasSizeGreaterThan(3)
                .allSatisfy(name -> assertThat(ours).contains(name));
    }

    /** A component of the application is sooner called availabilityChecker than untakenAvailabilityChecker. */
    @Test
    void theNamesOfOurBeansAreOnesThatNoApplicationGives() {
        List<Class<?>> configurations = new ArrayList<>();
        OurAutoConfigurations.all().forEach(each -> {
            configurations.add(each);
            configurations.addAll(List.of(each.getDeclaredClasses()));
        });
        assertThat(configurations)
                .flatMap(each -> List.of(each.getDeclaredMethods()))
                .filteredOn(method -> method.isAnnotationPresent(Bean.class))
                .hasSizeGreaterThan(10)
                .allSatisfy(method -> assertThat(method.getName()).startsWith("untaken"));
    }

    @Test
    void componentsOfTheApplicationWithSuchNamesStayBesideOurs() {
        web.withBean("availabilityChecker", String.class, () -> "theirs")
                .withBean("availabilityFilter", String.class, () -> "theirs")
                .withBean("duplicateKeys", String.class, () -> "theirs")
                .withBean("transactionalRegistrations", String.class, () -> "theirs")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(status(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
                    assertThat(context.getBean("availabilityChecker")).isEqualTo("theirs");
                    assertThat(context).hasSingleBean(DuplicateKeys.class);
                    assertThat(context).hasSingleBean(TransactionalRegistrations.class);
                    assertThat(context.getBean(FilterRegistrationBean.class).getFilterName())
                            .isEqualTo("untakenAvailabilityFilter");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://localhost:1/x,untaken-cluster-postgresql",
        "jdbc:mysql://localhost:1/x,untaken-cluster-mysql",
        "jdbc:mariadb://localhost:1/x,untaken-cluster-mysql"
    })
    void aClusterWithoutTheModuleOfItsDatabaseIsRefused(String url, String artifact) {
        web.withPropertyValues("untaken.cluster.enabled=true", "untaken.cluster.url=" + url)
                .withClassLoader(new FilteredClassLoader("io.github.untaken.cluster"))
                .run(context -> assertThat(refusal(context.getStartupFailure()).getAction())
                        .contains("io.github.untaken:" + artifact + ","));
    }

    @Test
    void aClusterOverAnotherDatabaseIsRefused() {
        web.withPropertyValues("untaken.cluster.enabled=true", "untaken.cluster.url=jdbc:h2:mem:x")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("log of this database cannot be followed"));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mysql://localhost:1/x,MySqlFeed",
        "jdbc:mariadb://localhost:1/x,MySqlFeed",
        "jdbc:postgresql://localhost:1/x,PostgreSqlFeed"
    })
    void theAddressSaysWhichLogIsFollowed(String url, String type) {
        web.withPropertyValues(
                        "untaken.cluster.enabled=true", "untaken.cluster.url=" + url, "untaken.cluster.username=x")
                .run(context -> assertThat(
                                context.getBean(ChangeFeed.class).getClass().getSimpleName())
                        .isEqualTo(type));
    }

    @ParameterizedTest
    @CsvSource({
        "publication,x",
        "create-publication,false",
        "keep-slots,true",
        "slot-timeout,5s",
        "slots,3",
        "orphan-age,5m"
    })
    void whatOnlyPostgreSqlKnowsIsRefusedByNameElsewhere(String name, String value) {
        web.withPropertyValues(
                        "untaken.cluster.enabled=true",
                        "untaken.cluster.url=jdbc:mariadb://localhost:1/x",
                        "untaken.cluster." + name + '=' + value)
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.cluster." + name + " is set"));
    }

    @Test
    void anAddressOfSeveralServersIsRefused() {
        web.withPropertyValues("untaken.cluster.enabled=true", "untaken.cluster.url=jdbc:mysql://one,two/x")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("must name one server"));
    }

    @Test
    void aClusterSettingWithoutAGoodValueIsRefused() {
        web.withPropertyValues(
                        "untaken.cluster.enabled=true",
                        "untaken.cluster.url=jdbc:postgresql://localhost:1/x",
                        "untaken.cluster.slots=65")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("slots must be from 1 to 64, but was 65"));
    }

    /** As tests have it that start two containers of databases. */
    @Test
    void ofTwoDatabasesNeitherIsTakenForTheOne() {
        WebApplicationContextRunner known =
                web.withConfiguration(OurAutoConfigurations.of("UntakenConnectionDetailsAutoConfiguration"));
        known.withBean("one", JdbcConnectionDetails.class, () -> at("jdbc:postgresql://one/a"))
                .run(context ->
                        assertThat(context.getBean(FeedDatabase.class).url()).isEqualTo("jdbc:postgresql://one/a"));
        known.withBean("one", JdbcConnectionDetails.class, () -> at("jdbc:postgresql://one/a"))
                .withBean("two", JdbcConnectionDetails.class, () -> at("jdbc:postgresql://two/b"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FeedDatabase.class));
    }

    private static JdbcConnectionDetails at(String url) {
        return new JdbcConnectionDetails() {
            @Override
            public String getUsername() {
                return "somebody";
            }

            @Override
            public String getPassword() {
                return "";
            }

            @Override
            public String getJdbcUrl() {
                return url;
            }
        };
    }

    @Test
    void switchedOffItDoesNothing() {
        web.withPropertyValues("untaken.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context).doesNotHaveBean(AvailabilityChecker.class);
            assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
            assertThat(context).doesNotHaveBean(UntakenProperties.class);
        });
    }

    @Test
    void withoutTheEndpointTheCheckerAndTheWatchRulesAreThere() {
        web.withPropertyValues(
                        "untaken.endpoint-enabled=false",
                        "untaken.watch=POST /signup registers username from parameter name")
                .run(context -> {
                    assertThat(ask(context, "username", "alice").getContentAsString())
                            .isEmpty();
                    assertThat(status(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
                    seesThatIsWatched(context, IdentifierKind.USERNAME, "bob");
                });
    }

    /** The rule keeps the checker right; who may ask over HTTP is another question. */
    @Test
    void aKindThatIsNotServedIsWatchedAllTheSame() {
        bare.withBean("emailStore", RegisteredIdentifierStore.class, NAMES)
                .withPropertyValues("untaken.watch=POST /signup registers email from parameter name")
                .run(context -> {
                    seesThatIsWatched(context, IdentifierKind.EMAIL, "b@example.com");
                    assertThat(ask(context, "email", "b@example.com").getContentAsString())
                            .isEmpty();
                });
    }

    /** What a request says it registers is the database's to answer for while the request is under way. */
    private static void seesThatIsWatched(ApplicationContext context, IdentifierKind kind, String text)
            throws Exception {
        FilterRegistrationBean<?> registration = context.getBean(FilterRegistrationBean.class);
        assertThat(registration.isEnabled()).isTrue();
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/signup");
        request.setServletPath("/signup");
        request.setParameter("name", text);
        List<Verdict.DecidedBy> seen = new ArrayList<>();
        registration.getFilter().doFilter(request, new MockHttpServletResponse(), (passed, response) -> {
            passed.getParameter("name");
            seen.add(
                    context.getBean(AvailabilityChecker.class).check(kind, text).decidedBy());
        });
        assertThat(seen).containsExactly(Verdict.DecidedBy.STORE);
    }

    @Test
    void withNothingToCheckTheApplicationStartsAllTheSame() {
        bare.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(AvailabilityChecker.class).getIfAvailable())
                    .isNull();
            assertThat(context.getBean(FilterRegistrationBean.class).isEnabled())
                    .isFalse();
            assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.UP);
            context.getBean(MeterBinder.class).bindTo(context.getBean(MeterRegistry.class));
        });
    }

    @Test
    void aCheckerOfTheApplicationIsTheOnlyOne() {
        try (AvailabilityChecker own = AvailabilityChecker.builder()
                .store(IdentifierKind.USERNAME, NAMES.get())
                .build()) {
            web.withBean("mine", AvailabilityChecker.class, () -> own)
                    .run(context -> assertThat(context.getBean(AvailabilityChecker.class))
                            .isSameAs(own));
        }
    }

    @Test
    void settingsAndARegistrationOfTheApplicationComeFirst() {
        web.withBean(
                        EndpointSettings.class,
                        () -> EndpointSettings.builder()
                                .path("/availability")
                                .exposeDecision(true)
                                .build())
                .run(context -> assertThat(ask(context, "username", "alice").getContentAsString())
                        .contains("decided"));
        web.withBean("mine", AvailabilityServletFilter.class, () -> new AvailabilityServletFilter())
                .run(context -> assertThat(context).doesNotHaveBean("untakenAvailabilityFilter"));
    }

    @Test
    void outsideOfAServletApplicationThereIsNoEndpoint() {
        new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean("usernameStore", RegisteredIdentifierStore.class, NAMES)
                .run(context -> {
                    assertThat(context).hasSingleBean(AvailabilityChecker.class);
                    assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
                });
    }

    private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
            .withConfiguration(OURS)
            .withBean("usernameStore", RegisteredIdentifierStore.class, NAMES);

    /** It has no servlets at all. */
    @Test
    void aReactiveApplicationHasTheEndpointAsAWebFilter() {
        reactive.withClassLoader(new FilteredClassLoader("jakarta.servlet", "org.springframework.web.servlet"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(AvailabilityWebFilter.class);
                    assertThat(status(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
                });
        reactive.withPropertyValues("untaken.endpoint-enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AvailabilityWebFilter.class));
        reactive.withPropertyValues("untaken.watch=POST /signup registers username from parameter name")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aReactiveApplicationWithoutSpringSecurityIsToldThatItsEndpointAnswersEverybody() {
        try (LoggedLines log = new LoggedLines()) {
            reactive.run(context -> assertThat(context).hasNotFailed());
            assertThat(log.about("Spring Security does not guard")).hasSize(1);
            reactive.withPropertyValues("untaken.gate=session")
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(log.about("Spring Security does not guard")).hasSize(1);
        }
    }

    /** Of which nothing is asked but that it is there. */
    private static final class UnusedConnections implements ConnectionFactory {
        @Override
        public Publisher<? extends Connection> create() {
            throw new IllegalStateException("nobody asks");
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return () -> "unused";
        }
    }

    /** Of a log in which nothing happens. */
    private static final class SilentFeed implements ChangeFeed {
        @Override
        public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
            return Set.of();
        }

        @Override
        public void connect(ChangeSink sink) {}

        @Override
        public void awaitMark(Duration timeout) {}

        @Override
        public void disconnect() {}
    }

    @Test
    void anApplicationOnR2dbcIsToldThatWhatItWritesThereIsNotHeard() {
        WebApplicationContextRunner withR2dbc =
                web.withBean("connectionFactory", ConnectionFactory.class, UnusedConnections::new);
        try (LoggedLines log = new LoggedLines()) {
            withR2dbc.run(context -> assertThat(context).hasNotFailed());
            assertThat(log.warnings("R2DBC")).hasSize(1);
            assertThat(log.warnings("WebFlux")).isEmpty();
        }
        try (LoggedLines log = new LoggedLines()) {
            web.run(context -> assertThat(context).hasNotFailed());
            withR2dbc
                    .withPropertyValues("untaken.enabled=false")
                    .run(context -> assertThat(context).hasNotFailed());
            withR2dbc
                    .withBean("feed", ChangeFeed.class, SilentFeed::new)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(log.warnings("R2DBC")).isEmpty();
        }
    }

    @Test
    void whateverIsMissingTheRestWorks() {
        Class<?>[] optional = {
            AvailabilityServletFilter.class,
            JpaIdentifiers.class,
            EntityManagerFactory.class,
            MeterRegistry.class,
            HealthIndicator.class,
            Endpoint.class,
            TransactionSynchronization.class,
            Available.class,
            ConnectionFactory.class,
            DependsOnDatabaseInitialization.class
        };
        for (Class<?> missing : optional) {
            web.withClassLoader(new FilteredClassLoader(missing)).run(context -> {
                assertThat(context).as(missing.getName()).hasNotFailed();
                assertThat(status(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
            });
        }
        web.withClassLoader(new FilteredClassLoader(AvailabilityServletFilter.class))
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
        web.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).doesNotHaveBean("untakenHealthIndicator"));
        web.withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).doesNotHaveBean("untakenEndpoint"));
        web.withClassLoader(new FilteredClassLoader(TransactionSynchronization.class))
                .run(context -> assertThat(context)
                        .doesNotHaveBean(TransactionalRegistrations.class)
                        .doesNotHaveBean(DuplicateKeys.class));
        web.withClassLoader(new FilteredClassLoader(Available.class))
                .run(context -> assertThat(context).doesNotHaveBean("untakenValidators"));
    }

    record Form(@Available("username") String name) {}

    /** As whoever takes messages from a source of his own has it; Spring Boot customizes none but its own. */
    @Test
    void aValidatorThatTheApplicationDefinesAsksTheCheckerToo() {
        web.withBean("validator", LocalValidatorFactoryBean.class).run(context -> {
            Validator validator = context.getBean(Validator.class);
            assertThat(validator.validate(new Form("alice"))).hasSize(1);
            assertThat(validator.validate(new Form("bob"))).isEmpty();
        });
        web.withPropertyValues("untaken.enabled=false")
                .withBean("validator", LocalValidatorFactoryBean.class)
                .run(context -> assertThat(context.getBean(Validator.class).validate(new Form("alice")))
                        .isEmpty());
    }

    @Test
    void aValidatorThatSpringDoesNotMakeSaysWhatItLacks() {
        ConstraintValidatorFactory own =
                Validation.byDefaultProvider().configure().getDefaultConstraintValidatorFactory();
        LocalValidatorFactoryBean validator = new LocalValidatorFactoryBean();
        validator.setConstraintValidatorFactory(own);
        web.withBean("validator", LocalValidatorFactoryBean.class, () -> validator)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Validator.class).validate(new Form("alice")))
                        .hasRootCauseMessage("@Available has no checker: bootstrap the validator with"
                                + " constraintValidatorFactory(new AvailableValidatorFactory(...))"));
    }

    @Test
    void aFactoryOfValidatorsThatTheApplicationHasStays() {
        ConstraintValidatorFactory own =
                Validation.byDefaultProvider().configure().getDefaultConstraintValidatorFactory();
        web.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
                .withBean(
                        "ofTheApplication",
                        ValidationConfigurationCustomizer.class,
                        () -> configuration -> configuration.constraintValidatorFactory(own))
                .run(context -> assertThat(
                                context.getBean(ValidatorFactory.class).getConstraintValidatorFactory())
                        .isSameAs(own));
    }

    @Test
    void withARegistryOfMetersChecksAreCounted() {
        web.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            status(context, "alice");
            assertThat(context.getBean(MeterRegistry.class)
                            .get("untaken.checks")
                            .tags("kind", "username", "status", "taken", "decided.by", "store")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
        web.run(context -> assertThat(context).doesNotHaveBean("untakenCheckMetrics"));
    }

    @Test
    void healthCanBeSwitchedOff() {
        web.withPropertyValues("management.health.untaken.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("untakenHealthIndicator"));
    }

    @Test
    void anEndpointThatIsNotExposedIsNotThere() {
        new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean("usernameStore", RegisteredIdentifierStore.class, NAMES)
                .run(context -> assertThat(context).doesNotHaveBean("untakenEndpoint"));
    }

    @Test
    void aDegradedKindIsUpWithItsReason() {
        InMemoryIdentifierStore failing = new InMemoryIdentifierStore();
        failing.failing(true);
        bare.withBean("usernameStore", RegisteredIdentifierStore.class, () -> failing)
                .run(context -> {
                    var health = context.getBean(HealthIndicator.class).health();
                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails().get("username").toString()).contains("state=WARMING");
                    context.getBean(AvailabilityChecker.class).close();
                    assertThat(context.getBean(HealthIndicator.class).health().getStatus())
                            .isEqualTo(Status.OUT_OF_SERVICE);
                });
    }

    @Test
    void beansAreForTheKindTheyAreCalledAfter() {
        web.withBean("displayNameStore", RegisteredIdentifierStore.class, NAMES)
                .withBean("displayNameNormalizer", IdentifierNormalizer.class, UsernameNormalizer::defaults)
                .withBean("usernameReservedNames", ReservedNames.class, () -> ReservedNames.of(List.of("Board")))
                .run(context -> {
                    assertThat(context.getBean(AvailabilityChecker.class).kinds())
                            .containsExactlyInAnyOrder(IdentifierKind.USERNAME, IdentifierKind.of("display-name"));
                    assertThat(status(context, "board")).isEqualTo(Verdict.Status.RESERVED);
                });
        bare.withBean("Store", RegisteredIdentifierStore.class, NAMES)
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("'Store'"));
    }

    @Test
    void aKindWithoutANormalizerIsRefusedWithWhatToDo() {
        bare.withBean("handleStore", RegisteredIdentifierStore.class, NAMES).run(context -> {
            FailureAnalysis analysis = refusal(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("kind 'handle' has no normalizer");
            assertThat(analysis.getAction()).contains("kind username", "untaken.policy.<kind>");
        });
        bare.withBean("handleStore", RegisteredIdentifierStore.class, NAMES)
                .withPropertyValues("untaken.policy.handle.least-length=2")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void eMailIsCheckedButNotServedUntilItIsProtected() {
        WebApplicationContextRunner both = web.withBean("emailStore", RegisteredIdentifierStore.class, NAMES);
        both.run(context -> {
            assertThat(context.getBean(AvailabilityChecker.class).kinds()).contains(IdentifierKind.EMAIL);
            assertThat(ask(context, "username", "alice").getStatus()).isEqualTo(200);
            assertThat(ask(context, "email", "a@b.co").getStatus()).isEqualTo(400);
        });
        both.withPropertyValues("untaken.client-limit=10", "untaken.gate=session")
                .run(context ->
                        assertThat(ask(context, "email", "a@b.co").getStatus()).isEqualTo(405));
        both.withPropertyValues("untaken.mode.email=blind")
                .run(context ->
                        assertThat(ask(context, "email", "a@b.co").getStatus()).isEqualTo(405));
        bare.withBean("emailStore", RegisteredIdentifierStore.class, NAMES)
                .run(context -> assertThat(
                                context.getBean(FilterRegistrationBean.class).isEnabled())
                        .isFalse());
    }

    @Test
    void aKindThatIsAskedForWithoutProtectionIsRefusedWithWhatToDo() {
        web.withBean("emailStore", RegisteredIdentifierStore.class, NAMES)
                .withPropertyValues("untaken.kinds=username,email")
                .run(context -> {
                    FailureAnalysis analysis = refusal(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("kind 'email' is not served without protection");
                    assertThat(analysis.getAction()).contains("untaken.gate");
                });
        web.withBean("emailStore", RegisteredIdentifierStore.class, NAMES)
                .withPropertyValues("untaken.mode.email=open")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("is not served open"));
    }

    @Test
    void aKindWithoutAStoreIsRefusedWithWhatToDo() {
        web.withPropertyValues("untaken.kinds=handle").run(context -> {
            FailureAnalysis analysis = refusal(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'handle'");
            assertThat(analysis.getAction()).contains("@RegisteredIdentifier");
        });
    }

    @Test
    void aSettingThatDoesNotExistIsRefusedWithTheNearest() {
        web.withPropertyValues("untaken.recheck-thread=2").run(context -> {
            FailureAnalysis analysis = Refusals.of(context.getStartupFailure());
            assertThat(analysis.getDescription()).isEqualTo("There is no setting 'untaken.recheck-thread'");
            assertThat(analysis.getAction()).contains("'untaken.recheck-threads'");
        });
        assertThat(Refusals.of(new UnboundConfigurationPropertiesException(Set.of())))
                .isNull();
    }

    private static FailureAnalysis unknown(@Nullable Throwable failure) {
        return Refusals.of(failure);
    }

    @Test
    void aSettingBelowAnotherThatDoesNotExistIsRefusedWithTheNearest() {
        web.withPropertyValues("untaken.policy.username.least-lenght=3")
                .run(context -> assertThat(unknown(context.getStartupFailure()).getAction())
                        .contains("'untaken.policy.username.least-length'"));
        web.withPropertyValues("untaken.clutser.url=jdbc:none")
                .run(context -> assertThat(unknown(context.getStartupFailure()).getAction())
                        .contains("'untaken.cluster.url'"));
        web.withPropertyValues("untaken.policy.username.least.length=3")
                .run(context -> assertThat(unknown(context.getStartupFailure()).getAction())
                        .contains("'untaken.policy.username.least-length'"));
    }

    @Test
    void aSettingThatDoesNotExistIsRefusedAmongTheOptionsOfTheJvmToo() {
        web.withSystemProperties("untaken.rescan-intervall=30m").run(context -> {
            assertThat(unknown(context.getStartupFailure()).getDescription())
                    .isEqualTo("There is no setting 'untaken.rescan-intervall'");
        });
        web.withSystemProperties("untaken.rescan-interval=30m")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aVariableThatIsNearlyASettingIsWarnedOfAndNoneOfKubernetes() {
        Map<String, Object> variables = Map.of(
                "UNTAKEN_RESCANINTERVALL", "30m",
                "UNTAKEN_RECHECK_TIMEOUT", "2s",
                "UNTAKEN_RECHECKTHREADS", "2",
                "UNTAKEN_PORT", "tcp://10.0.0.1:80",
                "UNTAKEN_SERVICE_HOST", "10.0.0.1",
                "UNTAKEN_PORT_80_TCP_PROTO", "tcp");
        String environment = "systemEnvironment";
        try (LoggedLines heard = new LoggedLines()) {
            web.withInitializer(context -> context.getEnvironment()
                            .getPropertySources()
                            .replace(environment, new SystemEnvironmentPropertySource(environment, variables)))
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(heard.warnings("A variable of the environment")).hasSize(1);
            assertThat(heard.warnings("'untaken.rescanintervall', which is not a setting"))
                    .hasSize(1);
            assertThat(heard.warnings("Did you mean 'untaken.rescan-interval'")).hasSize(1);
        }
    }

    @Test
    void aValueOutOfRangeIsRefusedWithTheRange() {
        web.withPropertyValues("untaken.recheck-threads=0")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("recheckThreads must be from 1 to 256"));
        web.withPropertyValues("untaken.client-limit=none")
                .run(context -> assertThat(refusal(context.getStartupFailure()).getDescription())
                        .contains("untaken.client-limit"));
    }

    @Test
    void customizersSetWhatNoPropertyCan() {
        web.withBean(
                        "mine",
                        CheckerBuilderCustomizer.class,
                        () -> builder -> builder.reserved(IdentifierKind.USERNAME, ReservedNames.of(List.of("board"))))
                .withBean("mineToo", EndpointSettingsCustomizer.class, () -> builder -> builder.exposeDecision(true))
                .run(context -> {
                    assertThat(status(context, "Board")).isEqualTo(Verdict.Status.RESERVED);
                    assertThat(ask(context, "username", "alice").getContentAsString())
                            .contains("decided");
                });
    }
}
