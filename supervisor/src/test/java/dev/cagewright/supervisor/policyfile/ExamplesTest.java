package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.CompiledPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
    private static final Path EXAMPLES = Path.of("../examples");

    static List<Path> examples() throws IOException {
        try (var files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    private static PolicyDocument document(String name) throws PolicySyntaxException, IOException {
        return PolicyFiles.load(EXAMPLES.resolve(name)).document();
    }

    @Test
    void all_five_examples_are_there() throws IOException {
        assertThat(examples())
                .extracting(file -> file.getFileName().toString())
                .contains("build.yaml", "empty.yaml", "first-seed.yaml", "npm.yaml", "readonly.yaml");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void each_example_loads_without_a_problem(Path example) throws Exception {
        assertThat(PolicyFiles.load(example).document().tool()).isPresent();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void each_example_compiles_without_a_problem(Path example) throws Exception {
        assertThat(CompiledPolicy.compile(PolicyFiles.load(example).document())).isNotNull();
    }

    @Test
    void the_build_example_allows_the_script_and_denies_the_shell() throws Exception {
        var policy = CompiledPolicy.compile(document("build.yaml"));

        assertThat(policy.judge(exec("python3", "analyse.py", "data.csv"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(exec("sh", "-c", "echo pwned")))
                .isInstanceOfSatisfying(
                        Decision.Deny.class,
                        denied -> assertThat(denied.because()).contains(new RuleId("deny:shell")));
        assertThat(policy.judge(exec("git", "status"))).isInstanceOf(Decision.Deny.class);
    }

    private static Action exec(String... argv) {
        return new Action.ProcExec(Arrays.stream(argv).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    @Test
    void the_first_example_means_what_it_says() throws Exception {
        var policy = document("first-seed.yaml");

        assertThat(policy.tool()).contains(new CageName("dependency-updater"));
        assertThat(policy.minIsolation()).contains(Isolation.MICROVM);
        assertThat(policy.fs().orElseThrow().mounts().orElseThrow())
                .containsExactly(
                        new Mount(Mount.target("path", "/workspace"), Mount.Access.RW, new Mount.Source.SessionCopy()));
        var hosts = policy.net().orElseThrow().hosts().orElseThrow();
        assertThat(hosts)
                .extracting(HostRule::target)
                .containsExactly(new HostRule.Target.Host("registry.example.org"), new HostRule.Target.Alias("github"));
        assertThat(hosts.get(1).methods()).contains(List.of("GET", "POST"));
        assertThat(hosts.get(1).paths()).contains(List.of("/repos/acme/app/**"));
        var credential = policy.credentials().orElseThrow().getFirst();
        assertThat(credential.name()).isEqualTo("github_token");
        assertThat(credential.useWith()).containsExactly("github");
        assertThat(policy.exec().orElseThrow().allowlist()).contains(List.of("dependency-updater", "git"));
        var condition = policy.approval().orElseThrow().requireFor().getFirst();
        assertThat(condition.action()).isEqualTo("http.request");
        assertThat(condition.methods()).contains(List.of("POST"));
        assertThat(condition.hosts()).contains(List.of("github"));
        assertThat(condition.paths()).isEmpty();
    }

    @Test
    void the_build_example_lets_python_write_the_workspace_and_nothing_else_start() throws Exception {
        var policy = document("build.yaml");

        assertThat(policy.exec().orElseThrow().allowlist()).contains(List.of("python3"));
        assertThat(policy.fs().orElseThrow().mounts().orElseThrow())
                .containsExactly(new Mount(
                        Mount.target("path", "/workspace"), Mount.Access.RW, new Mount.Source.HostPath("/workspace")));
    }

    @Test
    void the_template_grants_nothing_and_is_the_example_of_an_empty_policy() throws Exception {
        var template = PolicyTemplates.commented(new CageName("my-tool"));

        assertThat(EXAMPLES.resolve("empty.yaml")).content().isEqualTo(template);
        var policy = document("empty.yaml");
        assertThat(policy.exec().orElseThrow().allowlist()).contains(List.of());
        assertThat(policy.fs()).isEmpty();
        assertThat(policy.net()).isEmpty();
        assertThat(policy.credentials()).isEqualTo(Optional.empty());
    }

    @Test
    void every_commented_line_of_the_template_is_valid_when_uncommented() throws Exception {
        var uncommented = PolicyTemplates.commented(new CageName("my-tool"))
                .replaceAll("(?m)^#(?=[a-z ] {0,7}[a-z#-])", "")
                .replaceAll("(?m)^#(?=[a-z]+:)", "");

        var policy = PolicyText.parse("template", uncommented.getBytes(StandardCharsets.UTF_8))
                .document();

        assertThat(policy.net()).isPresent();
        assertThat(policy.fs().orElseThrow().waive()).containsExactly("git-hooks");
        assertThat(policy.capture()).isPresent();
    }

    @Test
    void a_name_that_looks_like_a_number_is_quoted_in_the_template() throws Exception {
        for (String name : List.of("1e3", "0755", "true", "null", "no", "12", "a.b")) {
            var template = PolicyTemplates.commented(new CageName(name));

            assertThat(PolicyText.parse("t", template.getBytes(StandardCharsets.UTF_8))
                            .document()
                            .tool())
                    .contains(new CageName(name));
        }
    }
}
