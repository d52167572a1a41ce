package io.github.untaken.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.untaken.servlet.AvailabilityServletFilter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How the packages of this module may use one another. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", System.getProperty("classes.folder", "classes")));

    @Test
    void looksAtThisModule() {
        assertThat(CLASSES.contain(AvailabilityServletFilter.class)).isTrue();
        assertThat(CLASSES.contain(AvailabilityEndpoint.class)).isTrue();
    }

    /** Other front ends have no such classes. */
    @Test
    void theEndpointKnowsNothingOfServlets() {
        noClasses()
                .that()
                .resideInAPackage("io.github.untaken.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "io.github.untaken.servlet..")
                .check(CLASSES);
    }

    @Test
    void noTwoPackagesNeedEachOther() {
        slices().matching("io.github.untaken.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
