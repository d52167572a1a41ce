package io.github.untaken.spring.boot.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Runs on the class path of each line of Spring Boot, also of one that is not supported; uses what all of them have. */
@Tag("ci")
class SpringBootLineTest {
    /** Whether the application has JPA; by default it has the classes and configures none. */
    private static final String JPA = System.getProperty("test.boot.jpa", "excluded");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
            })
    static class Application {

        @Bean
        RegisteredIdentifierStore usernameStore() {
            return new InMemoryIdentifierStore();
        }

        @Bean
        String marker() {
            return IdentifierKind.USERNAME.name();
        }
    }

    @Test
    void configuresTheCheckerOnFourAndHarmsNoOtherLine() {
        boolean supported = SpringBootVersion.getVersion().startsWith("4.");
        String expected = System.getProperty("test.boot.line", "4.");
        assertThat(SpringBootVersion.getVersion()).startsWith(expected);
        assertThat(ClassUtils.isPresent("org.hibernate.SessionFactory", null)).isEqualTo(!JPA.equals("false"));
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (var context = application.run(
                "--untaken.recheck-threads=2",
                "--spring.main.banner-mode=off",
                "--spring.jpa.hibernate.ddl-auto=create")) {
            assertThat(context.getBean("marker")).isEqualTo("username");
            assertThat(context.getBeanNamesForType(AvailabilityChecker.class)).hasSize(supported ? 1 : 0);
            assertThat(Stream.of(context.getBeanDefinitionNames())
                            .filter(name -> name.startsWith("io.github.untaken.spring.boot."))
                            .findAny()
                            .isPresent())
                    .isEqualTo(supported);
        }
    }
}
