package io.github.untaken.jdbc;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How the packages of this module may use one another. */
class ArchitectureTest {
    private static final String ROOT = "io.github.untaken.jdbc";

    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", System.getProperty("classes.folder", "classes")));

    /** All know the table that an application has named. */
    @Test
    void noPackageLeadsBackToItself() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void behindTheDoorNothingIsKnownOfItButTheTable() {
        assertThat(CLASSES.that(resideInAPackage(ROOT + ".*")).stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> dependency.getTargetClass())
                        .filter(target -> target.getPackageName().equals(ROOT))
                        .map(JavaClass::getSimpleName))
                .containsOnly(IdentifierTable.class.getSimpleName());
    }

    @Test
    void theDoorIsNoRoomToLiveIn() {
        assertThat(CLASSES.that(resideInAPackage(ROOT)).stream()
                        .filter(type -> type.isTopLevelClass())
                        .map(JavaClass::getSimpleName))
                .contains("JdbcIdentifiers")
                .hasSizeLessThanOrEqualTo(15);
    }
}
