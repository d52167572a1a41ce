package io.github.untaken;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.untaken.filter.MembershipFilter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How the packages of this module may use one another, and what is true of each class, of the filters' too. */
class ArchitectureTest {

    private static final String ROOT = "io.github.untaken";

    /** From the class files, so that the packages of the tests play no part. */
    private static final JavaClasses CLASSES =
            new ClassFileImporter().importPaths(classesOf("."), classesOf("../membership-filters"));

    private static final DescribedPredicate<JavaClass> OF_WORDS = belongToAnyOf(
            Announcement.class,
            CheckListener.class,
            IdentifierKind.class,
            KindState.class,
            Obstacle.class,
            KindStats.class,
            Registrations.class,
            StoreRead.class,
            Verdict.class);

    /** What is said through the door, in either direction. */
    private static final DescribedPredicate<JavaClass> WORDS =
            DescribedPredicate.describe("are words of the door", type -> OF_WORDS.test(type.getBaseComponentType()));

    private static Path classesOf(String module) {
        return Path.of(module, "target", System.getProperty("classes.folder", "classes"));
    }

    @Test
    void looksAtThisModuleAndAtTheFilters() {
        assertThat(CLASSES.contain(AvailabilityChecker.class)).isTrue();
        assertThat(CLASSES.contain(MembershipFilter.class)).isTrue();
        assertThat(CLASSES.size()).isGreaterThan(40);
    }

    /** But for the names of kinds, which stand where users import them. */
    @Test
    void theServiceInterfacesKnowNothingOfTheRest() {
        mayUseOnlyTheJdkAnd(ROOT + ".spi");
    }

    @Test
    void theNormalizersKnowOnlyTheServiceInterfaces() {
        mayUseOnlyTheJdkAnd(ROOT + ".normalize", ROOT + ".text", ROOT + ".spi");
    }

    @Test
    void memoryAsksNobody() {
        mayUseOnlyTheJdkAnd(
                WORDS,
                ROOT + ".memory",
                ROOT + ".text",
                ROOT + ".filter",
                ROOT + ".fault",
                ROOT + ".spi",
                "com.github.benmanes.caffeine.cache");
    }

    @Test
    void theLogKnowsNothingOfWhoFollowsIt() {
        mayUseOnlyTheJdkAnd(
                WORDS,
                ROOT + ".log",
                ROOT + ".memory",
                ROOT + ".text",
                ROOT + ".store",
                ROOT + ".fault",
                ROOT + ".spi",
                ROOT + ".filter");
    }

    /** They are read by the modules of the databases alone. */
    @Test
    void whatTheFeedsShareKnowsOnlyTheServiceInterfaces() {
        mayUseOnlyTheJdkAnd(WORDS, ROOT + ".feed", ROOT + ".spi");
    }

    @Test
    void whoAsksTheStoreKnowsNothingOfMemory() {
        mayUseOnlyTheJdkAnd(ROOT + ".store", ROOT + ".text", ROOT + ".spi", ROOT + ".fault");
    }

    @Test
    void howTextsAreMadeEqualDependsOnNobody() {
        mayUseOnlyTheJdkAnd(ROOT + ".text", ROOT + ".spi");
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
                .dependOnClassesThat(resideInAPackage(ROOT).and(not(WORDS)))
                .check(CLASSES);
    }

    /** Or the packages behind the door, which speak in these words, would depend on the door. */
    @Test
    void theWordsOfTheDoorKnowNothingBehindIt() {
        classes()
                .that(WORDS)
                .should()
                .onlyDependOnClassesThat(
                        WORDS.or(resideInAnyPackage(ROOT + ".spi", "java..", "org.jspecify.annotations")))
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
        mayUseOnlyTheJdkAnd(belongToAnyOf(IdentifierKind.class), packages);
    }

    private static void mayUseOnlyTheJdkAnd(DescribedPredicate<JavaClass> ofTheRoot, String... packages) {
        classes()
                .that()
                .resideInAPackage(packages[0])
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(packages)
                        .or(resideInAnyPackage("java..", "javax.crypto..", "org.jspecify.annotations"))
                        .or(ofTheRoot))
                .check(CLASSES);
    }
}
