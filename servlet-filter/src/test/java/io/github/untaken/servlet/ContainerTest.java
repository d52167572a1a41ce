package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The tests' containers do not disturb each other. */
class ContainerTest {

    @Test
    void twoTomcatsAtATimeHaveNamesOfTheirOwnInJmx() throws Exception {
        MBeanServer names = ManagementFactory.getPlatformMBeanServer();
        ObjectName loaders = new ObjectName("*:type=ParallelWebappClassLoader,*");
        try (Container.Running first = Container.TOMCAT.start(context -> {})) {
            Set<ObjectName> ofTheFirst = names.queryNames(loaders, null);
            try (Container.Running second = Container.TOMCAT.start(context -> {})) {
                assertThat(second.port()).isNotEqualTo(first.port());
                assertThat(names.queryNames(loaders, null))
                        .containsAll(ofTheFirst)
                        .hasSize(ofTheFirst.size() + 1);
            }
            assertThat(names.queryNames(loaders, null)).isEqualTo(ofTheFirst);
        }
    }
}
