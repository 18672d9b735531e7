package dev.cagewright.supervisor.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which scaffolds there are and what they say.
class ScaffoldsTest {
    @TempDir
    private Path folder;

    private Scaffolds scaffolds() {
        return new Scaffolds(folder.resolve("scaffolds"));
    }

    private Path own(String name, String form, String policy) throws IOException {
        var own = Files.createDirectories(folder.resolve("scaffolds").resolve(name));
        Files.writeString(own.resolve("scaffold.yaml"), form);
        Files.writeString(own.resolve("policy.yaml"), policy);
        return own;
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "claude-code", "codex", "gemini", "openclaw", "opencode", "pi"})
    void every_scaffold_of_the_product_can_be_read_and_its_policy_compiles(String name)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var scaffold = scaffolds().find(name);

        assertThat(scaffold.name()).isEqualTo(name);
        assertThat(scaffold.about()).isNotEmpty();
        assertThat(scaffold.policy().document().tool())
                .hasValueSatisfying(tool -> assertThat(tool.value()).isEqualTo(name));
        var policy = CompiledPolicy.compile(scaffold.policy().document());
        for (var secret : scaffold.secrets()) {
            for (String host : secret.useWith()) {
                assertThat(policy.judge(new Action.HttpRequest("POST", new HostName(host), 443, "/v1/x")))
                        .as(secret.name() + " has somewhere to go")
                        .isInstanceOf(Decision.Allow.class);
            }
        }
        assertThat(policy.judge(new Action.HttpRequest("POST", new HostName("elsewhere.test"), 443, "/")))
                .isInstanceOf(Decision.Deny.class);
        assertThat(scaffolds().isBuiltIn(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "codex,chatgpt.com",
        "codex,ab.chatgpt.com",
        "codex,github.com",
        "claude-code,statsig.anthropic.com",
        "gemini,play.googleapis.com",
        "opencode,example.org"
    })
    void what_agents_contact_besides_the_model_is_not_open(String name, String host)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var policy = CompiledPolicy.compile(scaffolds().find(name).policy().document());

        assertThat(policy.judge(new Action.HttpRequest("POST", new HostName(host), 443, "/")))
                .isInstanceOf(Decision.Deny.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "claude-code", "codex", "gemini", "openclaw", "opencode", "pi"})
    void every_host_that_the_product_opens_has_a_reason_and_none_that_is_told_as_refused_is_open(String name)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var scaffold = scaffolds().find(name);
        var hosts = scaffold.policy().document().net().flatMap(NetSection::hosts).orElse(List.of()).stream()
                .map(rule -> ((HostRule.Target.Host) rule.target()).pattern())
                .toList();

        assertThat(scaffold.contacts()).extracting(Contact::host).containsExactlyElementsOf(hosts);
        var policy = CompiledPolicy.compile(scaffold.policy().document());
        for (Contact refused : scaffold.refusedHere(Map.of())) {
            assertThat(policy.judge(new Action.HttpRequest("GET", new HostName(refused.host()), 443, "/")))
                    .as(refused.host())
                    .isInstanceOf(Decision.Deny.class);
        }
    }

    @Test
    void a_refusal_is_expected_of_the_hosts_that_a_scaffold_names_and_of_no_near_miss()
            throws IOException, PolicySyntaxException {
        own("mine", """
            name: mine
            program: mine
            refused:
              - {host: stats.example.com, why: telemetry}
              - {host: "*.updates.example.com", why: updates}
              - {host: npm registry, why: plug-ins}
            """, "tool: mine\n");
        var npm = Map.of(ByteString.of("npm_config_registry"), ByteString.of("https://packages.test/npm/"));
        var refused = scaffolds().find("mine").refusedHere(npm);

        assertThat(whys(refused, "stats.example.com")).containsExactly("telemetry");
        assertThat(whys(refused, "STATS.example.com")).containsExactly("telemetry");
        assertThat(whys(refused, "a.updates.example.com")).containsExactly("updates");
        assertThat(whys(refused, "packages.test")).containsExactly("plug-ins");
        for (String miss : List.of(
                "example.com",
                "stats.example.com.evil.test",
                "xstats.example.com",
                "updates.example.com",
                "198.51.100.1",
                "not a name",
                "npm registry")) {
            assertThat(whys(refused, miss)).as(miss).isEmpty();
        }
    }

    private static List<String> whys(List<Contact> contacts, String host) {
        return contacts.stream()
                .filter(contact -> contact.means(host))
                .map(Contact::why)
                .toList();
    }

    @Test
    void a_scaffold_gives_what_the_organisation_allows_and_never_what_it_does_not()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var organisation = Files.writeString(folder.resolve("organisation.yaml"), """
            net:
              hosts:
                - {host: api.example.com, methods: [GET]}
            """);
        own("mine", "name: mine\nprogram: mine\n", """
            tool: mine
            net:
              hosts:
                - {host: api.example.com}
                - {host: evil.test}
            """);
        var none = folder.resolve("none");
        var layers = new PolicyFiles(organisation, none, none)
                .layersOver(Optional.of(scaffolds().find("mine").policy()));
        var policy = PolicyInForce.of(layers, IsolationWish.CAGE, Registries.NOT_ASKED);

        assertThat(judged(policy, "GET", "api.example.com")).isInstanceOf(Decision.Allow.class);
        assertThat(judged(policy, "POST", "api.example.com")).isInstanceOf(Decision.Deny.class);
        assertThat(judged(policy, "GET", "evil.test")).isInstanceOf(Decision.Deny.class);
    }

    private static Decision judged(PolicyInForce policy, String method, String host) {
        return policy.effective().judge(new Action.HttpRequest(method, new HostName(host), 443, "/"));
    }

    @Test
    void a_new_one_stands_there_whole_and_none_takes_the_place_of_another() throws IOException, PolicySyntaxException {
        own("taken", "name: taken\nprogram: x\n", "tool: taken\n");
        var files = List.of(
                new Scaffolds.NamedText("policy.yaml", "tool: fresh\n"),
                new Scaffolds.NamedText("scaffold.yaml", "name: fresh\nprogram: x\n"));

        scaffolds().add("fresh", files);
        assertThat(scaffolds().find("fresh").program()).isEqualTo("x");
        assertThatThrownBy(() -> scaffolds().add("taken", files)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(scaffolds().files("taken").getFirst().text()).isEqualTo("name: taken\nprogram: x\n");
        assertThat(folder.resolve("scaffolds")).isDirectoryNotContaining("glob:**.new-*");
    }

    @Test
    void a_folder_of_somebody_elses_gives_its_two_files_and_follows_no_link() throws IOException {
        var theirs = own("theirs", "name: theirs\nprogram: x\n", "tool: theirs\n");
        assertThat(Scaffolds.filesIn(theirs))
                .extracting(Scaffolds.NamedText::name)
                .containsExactly("scaffold.yaml", "policy.yaml");

        var secret = Files.writeString(folder.resolve("secret"), "tool: theirs\n");
        Files.delete(theirs.resolve("policy.yaml"));
        Files.createSymbolicLink(theirs.resolve("policy.yaml"), secret);
        assertThatThrownBy(() -> Scaffolds.filesIn(theirs)).isInstanceOf(IOException.class);

        Files.delete(theirs.resolve("policy.yaml"));
        Files.write(theirs.resolve("policy.yaml"), new byte[(256 << 10) + 1]);
        assertThatThrownBy(() -> Scaffolds.filesIn(theirs)).isInstanceOf(IOException.class);
    }

    @Test
    void a_persons_own_comes_before_one_of_the_product() throws IOException, PolicySyntaxException {
        own("codex", "name: codex\nprogram: mine\n", "tool: codex\n");
        own("other", "name: other\nprogram: other\n", "tool: other\n");

        assertThat(scaffolds().names()).contains("codex", "other", "pi").doesNotHaveDuplicates();
        assertThat(scaffolds().find("codex").program()).isEqualTo("mine");
        assertThat(scaffolds().isBuiltIn("codex")).isFalse();
        assertThat(scaffolds().files("codex"))
                .extracting(Scaffolds.NamedText::text)
                .containsExactly("name: codex\nprogram: mine\n", "tool: codex\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../codex", "Codex", "co dex", "", "/etc", "codex/", "absent"})
    void a_name_that_is_none_finds_nothing(String name) {
        assertThat(scaffolds().has(name)).isFalse();
        assertThatThrownBy(() -> scaffolds().find(name))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("expected: one of base, claude-code");
    }

    @Test
    void a_folder_that_is_a_link_is_no_scaffold() throws IOException {
        own("real", "name: real\nprogram: real\n", "tool: real\n");
        Files.createSymbolicLink(folder.resolve("scaffolds/linked"), folder.resolve("scaffolds/real"));

        assertThat(scaffolds().has("linked")).isFalse();
        assertThat(scaffolds().has("real")).isTrue();
    }

    @Test
    void a_file_of_another_name_is_refused() throws IOException {
        own("one", "name: two\nprogram: x\n", "tool: one\n");

        assertThatThrownBy(() -> scaffolds().find("one"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("says name: two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "environment: {LD_PRELOAD: x}|does not decide which code runs",
                "environment: {PATH: x}|does not decide which code runs",
                "environment: {NODE_OPTIONS: x}|does not decide which code runs",
                "home: [{path: /etc/passwd, text: x}]|a path such as",
                "home: [{path: ../x, text: x}]|a path such as",
                "home: [{path: a/../../x, text: x}]|a path such as",
                "home: [{path: a, when: append, text: x}]|one of absent, replace, merge",
                "secrets: [{name: KEY, use_with: []}]|use_with",
                "command: x|unknown key",
                "refused: [{host: a b, why: x}]|a host name such as",
                "refused: [{host: nuget registry, why: x}]|a host name such as",
                "contacts: [{host: example.com}]|why",
                "program: /bin/sh|a program's name",
                "program: a b|a program's name"
            })
    void what_would_decide_more_than_a_scaffold_may_is_refused_with_its_place(String line, String why)
            throws IOException {
        var program = line.startsWith("program") ? "" : "program: x\n";
        own("bad", "name: bad\n" + program + line + "\n", "tool: bad\n");

        assertThatThrownBy(() -> scaffolds().find("bad"))
                .isInstanceOf(PolicySyntaxException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("scaffold.yaml:");
    }
}
