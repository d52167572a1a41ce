package io.github.untaken.sample;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How the packages of the sample may use one another; the compiler does not know. */
class ArchitectureTest {
    private static final String ROOT = "io.github.untaken.sample";

    /** Each with all those of the sample that it may use. The root puts them together, and none of them knows it. */
    private static final Map<String, Set<String>> MAY_USE = Map.of(
            ROOT + ".console", Set.of(),
            ROOT + ".reads", Set.of(),
            ROOT + ".database", Set.of(ROOT + ".console", ROOT + ".reads"),
            ROOT + ".figures", Set.of(ROOT + ".database", ROOT + ".reads"),
            ROOT + ".experiment", Set.of(ROOT + ".database", ROOT + ".reads"),
            ROOT + ".race", Set.of(ROOT + ".database", ROOT + ".reads", ROOT + ".experiment"),
            ROOT + ".pages",
                    Set.of(
                            ROOT + ".database",
                            ROOT + ".reads",
                            ROOT + ".figures",
                            ROOT + ".experiment",
                            ROOT + ".race"));

    /** From the class files, so that the packages of the tests play no part. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SignUpSite.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void eachPackageUsesOnlyThoseItMay() {
        MAY_USE.forEach((name, others) -> {
            Set<String> allowed = new TreeSet<>(others);
            allowed.add(name);
            classes()
                    .that()
                    .resideInAPackage(name)
                    .should()
                    .onlyDependOnClassesThat(
                            not(resideInAnyPackage(ROOT + "..")).or(resideInAnyPackage(allowed.toArray(String[]::new))))
                    .check(CLASSES);
        });
    }

    @Test
    void noPackageIsPartOfACycle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void eachPackageIsInTheList() {
        assertThat(CLASSES.contain(SignUpSite.class)).isTrue();
        Set<String> present =
                CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = new TreeSet<>(MAY_USE.keySet());
        listed.add(ROOT);
        assertThat(present).isEqualTo(listed);
    }
}
