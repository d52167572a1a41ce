package io.github.untaken.spring.boot;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How the packages of this module may use one another. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", System.getProperty("classes.folder", "classes")));

    @Test
    void looksAtThisModule() {
        assertThat(CLASSES.contain(UntakenProperties.class)).isTrue();
    }

    /** What an application uses and sets knows none of those who read it. */
    @Test
    void noTwoPackagesNeedEachOther() {
        slices().matching("io.github.untaken.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
