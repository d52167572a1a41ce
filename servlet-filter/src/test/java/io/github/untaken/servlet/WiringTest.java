package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The filter declared by its class name with init parameters, found by the container, or both. */
class WiringTest {
    private static final String TWICE = "declared more than once";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountingNormalizer normalizer = new CountingNormalizer("");
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(
                AvailabilityChecker.builder().store(USERNAME, users).normalizer(USERNAME, normalizer));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private Container.Running start(Container container, Consumer<ServletContext> application) throws Exception {
        return container.start(context -> {
            context.setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, checker);
            Container.serve(context, "/hello", new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                    response.setStatus(HttpServletResponse.SC_ACCEPTED);
                    request.setAttribute(
                            AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username",
                            request.getParameter("username"));
                }
            });
            application.accept(context);
        });
    }

    /** As {@code <filter>} and {@code <filter-mapping>} of a descriptor do. */
    private static void declare(ServletContext context, String name, Map<String, String> initParameters) {
        FilterRegistration.Dynamic filter = context.addFilter(name, AvailabilityServletFilter.class.getName());
        filter.setInitParameters(initParameters);
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
    }

    /** As containers do with the initializers they find. */
    private static void discover(ServletContext context) {
        int found = 0;
        for (ServletContainerInitializer initializer : ServiceLoader.load(ServletContainerInitializer.class)) {
            if (initializer instanceof AvailabilityInitializer) {
                found++;
                try {
                    initializer.onStartup(null, context);
                } catch (ServletException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        assertThat(found).isEqualTo(1);
    }

    private int status(Container.Running server, String pathAndQuery) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(server.uri(pathAndQuery))
                                .timeout(Duration.ofMinutes(1))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @ParameterizedTest
    @EnumSource
    void initParametersAreSettingsAndThoseOfTheFilterWin(Container container) throws Exception {
        try (Container.Running server = start(container, context -> {
            context.setInitParameter(SettingKeys.PATH, "/of-the-context");
            context.setInitParameter(SettingKeys.CLIENT_BURST, "3");
            context.setInitParameter(SettingKeys.CLIENT_LIMIT, "1"); // a minute: none comes back meanwhile
            context.setInitParameter("unrelated", "1");
            declare(
                    context,
                    "availability",
                    Map.of(SettingKeys.PATH, "/free", SettingKeys.METHODS + "username", "GET"));
        })) {
            assertThat(status(server, "/free?username=alice")).isEqualTo(200);
            assertThat(status(server, "/free?username=zoe")).isEqualTo(200);
            assertThat(status(server, "/free?username=zoe")).isEqualTo(200);
            assertThat(status(server, "/free?username=zoe")).isEqualTo(429);
            assertThat(status(server, "/of-the-context?username=zoe")).isEqualTo(404);
            assertThat(status(server, "/availability?username=zoe")).isEqualTo(404);
            assertThat(status(server, "/hello")).isEqualTo(202);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBadInitParameterStopsTheApplication(Container container) {
        assertThatThrownBy(() -> start(
                        container, context -> declare(context, "availability", Map.of("untaken.client-limits", "3"))))
                .isNotNull();
        assertThatThrownBy(() -> start(
                        container, context -> declare(context, "availability", Map.of(SettingKeys.CLIENT_LIMIT, "0"))))
                .isNotNull();
        assertThatThrownBy(() -> start(
                        container,
                        context -> declare(context, "availability", Map.of(SettingKeys.AUTO_INSTALL, "false"))))
                .isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void isInstalledWhereTheContainerFindsItAndNothingIsDeclared(Container container) throws Exception {
        try (LoggedLines logged = new LoggedLines();
                Container.Running server = start(container, context -> {
                    context.setInitParameter(SettingKeys.METHODS + "username", "GET");
                    discover(context);
                })) {
            assertThat(status(server, "/availability?username=alice")).isEqualTo(200);
            assertThat(status(server, "/hello")).isEqualTo(202);
            assertThat(logged.warnings(TWICE)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotInstalledWhereItIsSwitchedOff(Container container) throws Exception {
        try (Container.Running server = start(container, context -> {
            context.setInitParameter(SettingKeys.AUTO_INSTALL, "false");
            discover(context);
        })) {
            assertThat(status(server, "/availability?username=alice")).isEqualTo(404);
            assertThat(status(server, "/hello")).isEqualTo(202);
        }
        assertThatThrownBy(() -> start(container, context -> {
                    context.setInitParameter(SettingKeys.AUTO_INSTALL, "off");
                    discover(context);
                }))
                .isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void isNotInstalledBesideOneThatIsDeclared(Container container) throws Exception {
        try (LoggedLines logged = new LoggedLines();
                Container.Running server = start(container, context -> {
                    declare(context, "availability", Map.of(SettingKeys.PATH, "/free"));
                    discover(context);
                })) {
            assertThat(status(server, "/free?username=alice")).isEqualTo(200);
            assertThat(status(server, "/availability?username=alice")).isEqualTo(404);
            assertThat(logged.warnings(TWICE)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoThatAreDeclaredOneWorksAndOneWarningSaysSo(Container container) throws Exception {
        try (LoggedLines logged = new LoggedLines();
                Container.Running server = start(container, context -> {
                    declare(context, "one", Map.of(SettingKeys.PATH, "/free"));
                    declare(context, "two", Map.of(SettingKeys.PATH, "/available"));
                    declare(context, "three", Map.of(SettingKeys.PATH, "/vacant"));
                })) {
            int answering = 0;
            for (String path : new String[] {"/free", "/available", "/vacant"}) {
                int status = status(server, path + "?username=alice");
                assertThat(status).isIn(200, 404);
                answering += status == 200 ? 1 : 0;
            }
            assertThat(answering).isEqualTo(1);
            assertThat(logged.warnings(TWICE)).hasSize(1);

            assertThat(status(server, "/hello?username=Zoe")).isEqualTo(202);
            Eventually.holds(
                    "settled",
                    () -> normalizer.asked("Zoe") > 0
                            && checker.stats(USERNAME).underWay().mentioned() == 0);
            assertThat(normalizer.asked("Zoe")).isEqualTo(CountingNormalizer.EACH_MENTION);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsDeclaredLaterWorksInPlaceOfTheInstalledOne(Container container) throws Exception {
        EndpointSettings inCode = EndpointSettings.builder().path("/free").build();
        for (boolean ownChecker : new boolean[] {true, false}) {
            try (LoggedLines logged = new LoggedLines();
                    Container.Running server = start(container, context -> {
                        discover(context);
                        Container.everywhere(
                                context,
                                "in code",
                                ownChecker
                                        ? new AvailabilityServletFilter(checker, inCode)
                                        : new AvailabilityServletFilter(inCode));
                    })) {
                assertThat(status(server, "/free?username=alice")).isEqualTo(200);
                assertThat(status(server, "/availability?username=alice")).isEqualTo(404);
                assertThat(logged.warnings(TWICE)).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theInstalledOneIsIdleWithoutACheckerAndADeclaredOneDoesNotStart(Container container) throws Exception {
        try (Container.Running server = start(container, context -> {
            context.removeAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE);
            discover(context);
        })) {
            assertThat(status(server, "/hello")).isEqualTo(202);
            assertThat(status(server, "/availability?username=alice")).isEqualTo(404);
        }
        assertThatThrownBy(() -> start(container, context -> {
                    context.removeAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE);
                    declare(context, "availability", Map.of());
                }))
                .isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void theInstalledOneFindsACheckerThatComesAfterIt(Container container) throws Exception {
        AtomicReference<ServletContext> late = new AtomicReference<>();
        try (Container.Running server = start(container, context -> {
            context.removeAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE);
            discover(context);
            late.set(context);
        })) {
            assertThat(status(server, "/availability?username=alice")).isEqualTo(404);
            late.get().setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, checker);
            assertThat(status(server, "/availability?username=alice")).isEqualTo(200);
        }
    }

    /** The settings are refused when the checker is there, and then it is not served with less protection. */
    @ParameterizedTest
    @EnumSource
    void oneThatComesLateIsNotServedOpenForPhonesEither(Container container) throws Exception {
        AtomicReference<ServletContext> late = new AtomicReference<>();
        try (AvailabilityChecker phones = AvailabilityChecker.builder()
                        .store(PHONE, users)
                        .normalizer(PHONE, normalizer)
                        .build();
                Container.Running server = start(container, context -> {
                    context.removeAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE);
                    discover(context);
                    late.set(context);
                })) {
            late.get().setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, phones);
            assertThat(status(server, "/availability?phone=1")).isEqualTo(500);
            assertThat(status(server, "/availability?phone=1")).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theInstalledOneDoesNotStartOpenForPhones(Container container) throws Exception {
        try (AvailabilityChecker phones = AvailabilityChecker.builder()
                .store(PHONE, users)
                .normalizer(PHONE, normalizer)
                .build()) {
            Consumer<ServletContext> installed = context -> {
                context.setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, phones);
                discover(context);
            };
            assertThatThrownBy(() -> start(container, installed)).isNotNull();
            try (Container.Running server = start(container, context -> {
                context.setInitParameter(SettingKeys.CLIENT_LIMIT, "5");
                context.setInitParameter(SettingKeys.GATE, "session");
                installed.accept(context);
            })) {
                assertThat(status(server, "/hello")).isEqualTo(202);
                assertThat(status(server, "/availability?phone=1")).isEqualTo(405);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void settingsInTwoPlacesAreRefused(Container container) {
        assertThatThrownBy(() -> start(container, context -> {
                    context.setInitParameter(SettingKeys.GATE, "session");
                    Container.everywhere(
                            context, "in code", new AvailabilityServletFilter(checker, EndpointSettings.defaults()));
                }))
                .isNotNull();
    }
}
