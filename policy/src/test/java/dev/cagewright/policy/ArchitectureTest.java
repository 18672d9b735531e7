package dev.cagewright.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What a policy never touches.
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.cagewright.policy");

    @Test
    void there_is_something_to_look_at() {
        assertThat(CLASSES.size()).isGreaterThan(100);
    }

    @Test
    void a_policy_knows_the_jdk_and_itself_only() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.cagewright.policy..", "java..", "javax.crypto..", "org.jspecify.annotations..")
                .check(CLASSES);
    }

    @Test
    void a_policy_does_no_io_and_has_no_clock() {
        noClasses()
                .should()
                .dependOnClassesThat(new DescribedPredicate<JavaClass>("do I/O, networking or time of day") {
                    @Override
                    public boolean test(JavaClass type) {
                        var name = type.getPackageName();
                        boolean isIo = (name.equals("java.io") && !isHarmless(type))
                                || name.startsWith("java.nio.file")
                                || name.startsWith("java.nio.channels");
                        return isIo
                                || name.startsWith("java.net")
                                || type.isEquivalentTo(Instant.class)
                                || type.isEquivalentTo(Clock.class)
                                || type.isEquivalentTo(ProcessBuilder.class)
                                || type.isEquivalentTo(Process.class);
                    }
                })
                .check(CLASSES);
    }

    /// What ports throw, and what every record and exception inherits.
    private static boolean isHarmless(JavaClass type) {
        return type.isAssignableTo(IOException.class)
                || type.getSimpleName().equals("Serializable")
                || type.getSimpleName().equals("ObjectStreamException");
    }

    @Test
    void nothing_prints_sleeps_or_asks_for_the_time() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }

    @Test
    void types_are_named_for_what_they_are() {
        classes()
                .should(new ArchCondition<JavaClass>("not be named Util, Helper, Manager or Impl") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        if (type.getSimpleName().matches(".*(Utils?|Helper|Manager|Impl)")) {
                            events.add(SimpleConditionEvent.violated(type, type.getName()));
                        }
                    }
                })
                .check(CLASSES);
    }

    @Test
    void arrows_inside_the_module_point_one_way() {
        noClasses()
                .that()
                .resideInAnyPackage("..action..", "..decision..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..gate..", "..document..", "..argv..", "..match..", "..engine..", "..layers..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage("..match..", "..argv..", "..document..", "..gate..", "..token..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..engine..", "..layers..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("..engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..layers..")
                .check(CLASSES);
    }
}
