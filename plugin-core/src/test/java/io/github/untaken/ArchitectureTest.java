package io.github.untaken;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How the packages of this module may use one another; the compiler does not know. */
class ArchitectureTest {

    private static final String ROOT = "io.github.untaken";

    /** From the class files, so that the packages of the tests play no part. */
    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPath(Path.of("target", System.getProperty("classes.folder", "classes")));

    @Test
    void looksAtThisModule() {
        assertThat(CLASSES.contain(AvailabilityChecker.class)).isTrue();
        assertThat(CLASSES.size()).isGreaterThan(40);
    }

    @Test
    void theFiltersKnowNothingOfTheRest() {
        mayUseOnlyTheJdkAnd(ROOT + ".filter");
    }

    /** But for the names of kinds, which stand where users import them. */
    @Test
    void theServiceInterfacesKnowNothingOfTheRest() {
        mayUseOnlyTheJdkAnd(ROOT + ".spi");
    }

    @Test
    void theNormalizersKnowOnlyTheServiceInterfaces() {
        mayUseOnlyTheJdkAnd(ROOT + ".normalize", ROOT + ".spi");
    }

    @Test
    void memoryKnowsOnlyTheFilters() {
        mayUseOnlyTheJdkAnd(ROOT + ".memory", ROOT + ".filter", "com.github.benmanes.caffeine.cache");
    }

    @Test
    void whoAsksTheStoreKnowsNothingOfMemory() {
        mayUseOnlyTheJdkAnd(ROOT + ".store", ROOT + ".spi");
    }

    @Test
    void theFaultLogKnowsOnlyTheServiceInterfaces() {
        mayUseOnlyTheJdkAnd(ROOT + ".fault", ROOT + ".spi");
    }

    @Test
    void noPackageIsPartOfACycle() {
        slices().matching("io.github.untaken.(*)").should().beFreeOfCycles().check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + ".*..")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT).and(not(type(IdentifierKind.class))))
                .check(CLASSES);
    }

    @Test
    void aClassIsNamedAfterWhatItIs() {
        noClasses()
                .should()
                .haveNameMatching(".*(Utils?|Impl|Manager|Helper)(\\$.*)?")
                .check(CLASSES);
    }

    @Test
    void aPublicClassIsNotForInheriting() {
        classes()
                .that()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .and()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and(DescribedPredicate.describe(
                        "are not sealed", type -> !type.reflect().isSealed()))
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(CLASSES);
    }

    private static void mayUseOnlyTheJdkAnd(String... packages) {
        classes()
                .that()
                .resideInAPackage(packages[0])
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(packages)
                        .or(resideInAnyPackage("java..", "javax.crypto..", "org.jspecify.annotations"))
                        .or(type(IdentifierKind.class)))
                .check(CLASSES);
    }
}
