package dev.cagewright.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The arrows of CONTRIBUTING.md, and where the dangerous tools may be used.
class ArrowsTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.cagewright");

    @Test
    void every_module_is_really_looked_at() {
        for (String module :
                new String[] {"policy", "audit", "secrets", "sandbox", "egress", "supervisor", "mcp", "cli"}) {
            assertThat(PRODUCT.stream().filter(type -> type.getPackageName().startsWith("dev.cagewright." + module)))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @Test
    void modules_know_only_what_they_may() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("policy")
                .definedBy("dev.cagewright.policy..")
                .layer("audit")
                .definedBy("dev.cagewright.audit..")
                .layer("secrets")
                .definedBy("dev.cagewright.secrets..")
                .layer("sandbox")
                .definedBy("dev.cagewright.sandbox..")
                .layer("egress")
                .definedBy("dev.cagewright.egress..")
                .layer("supervisor")
                .definedBy("dev.cagewright.supervisor..")
                .layer("mcp")
                .definedBy("dev.cagewright.mcp..")
                .layer("cli")
                .definedBy("dev.cagewright.cli..")
                .whereLayer("policy")
                .mayNotAccessAnyLayer()
                .whereLayer("audit")
                .mayNotAccessAnyLayer()
                .whereLayer("secrets")
                .mayNotAccessAnyLayer()
                .whereLayer("sandbox")
                .mayOnlyAccessLayers("policy")
                .whereLayer("egress")
                .mayOnlyAccessLayers("policy", "secrets")
                .whereLayer("supervisor")
                .mayOnlyAccessLayers("policy", "audit", "secrets", "sandbox", "egress")
                .whereLayer("mcp")
                .mayOnlyAccessLayers("policy", "audit", "secrets", "sandbox", "egress", "supervisor")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .check(PRODUCT);
    }

    @Test
    void processes_are_started_in_the_sandbox_only() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.cagewright.sandbox..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(ProcessBuilder.class, Process.class)
                .check(PRODUCT);
    }

    @Test
    void foreign_functions_are_called_in_the_sandbox_only() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.cagewright.sandbox..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(PRODUCT);
    }

    @Test
    void the_process_ends_in_the_two_mains_only() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.cagewright.cli.Main")
                .and()
                .doNotHaveFullyQualifiedName("dev.cagewright.audit.alone.Main")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(PRODUCT);
    }

    @Test
    void yaml_stays_in_the_policy_file_package() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.cagewright.supervisor.policyfile..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.snakeyaml..")
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void policy_and_audit_logic_touch_no_clock_and_no_network() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.cagewright.policy..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
                .check(PRODUCT);
    }

    /// A look-up carries the name to whoever answers it, and a name may have been chosen by a cage.
    @Test
    void B054_nothing_looks_a_name_up_but_the_one_resolver() {
        noClasses()
                .should()
                .callMethod(InetAddress.class, "getByName", String.class)
                .orShould()
                .callMethod(InetAddress.class, "getAllByName", String.class)
                .orShould()
                .callMethod(InetAddress.class, "getHostName")
                .orShould()
                .callMethod(InetAddress.class, "getCanonicalHostName")
                .orShould()
                .callConstructor(InetSocketAddress.class, String.class, int.class)
                .orShould()
                .callMethod(InetSocketAddress.class, "getHostName")
                .orShould()
                .callConstructor(Socket.class, String.class, int.class)
                .orShould()
                .callMethod("io.netty.bootstrap.Bootstrap", "connect", "java.lang.String", "int")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.cagewright.egress.resolve..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty.resolver.dns..")
                .check(PRODUCT);
    }

    @Test
    void names_say_what_a_thing_is() {
        noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl)$").check(PRODUCT);
        classes()
                .that()
                .haveNameMatching(".*Secret$")
                .should()
                .notBeRecords()
                .allowEmptyShould(true)
                .check(PRODUCT);
    }

    @Test
    void the_sources_are_beside_this_module() {
        assertThat(Path.of("../policy/src/main/java")).isDirectory();
    }
}
