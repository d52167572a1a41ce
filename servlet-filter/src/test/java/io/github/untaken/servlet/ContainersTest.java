package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The containers are those that were meant. */
class ContainersTest {

    @ParameterizedTest
    @EnumSource
    void aContainerHasTheServletVersionOfThisRun(Container container) throws Exception {
        AtomicReference<String> version = new AtomicReference<>();
        AtomicReference<String> server = new AtomicReference<>();
        try (Container.Running unused = container.start(context -> {
            version.set(context.getMajorVersion() + "." + context.getMinorVersion());
            server.set(context.getServerInfo());
        })) {
            assertThat(version).hasValue(Container.OLDER ? "6.0" : "6.1");
            assertThat(server.get())
                    .contains(container == Container.JETTY ? "12.1" : Container.OLDER ? "Tomcat/10.1" : "Tomcat/11.0");
        }
    }
}
