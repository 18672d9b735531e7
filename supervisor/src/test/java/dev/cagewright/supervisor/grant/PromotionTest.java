package dev.cagewright.supervisor.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.supervisor.grant.GrantState.Standing;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromotionTest {
    @TempDir
    private Path folder;

    private static GrantRecord record(Opening opening, String... addresses) {
        return new GrantRecord(
                new Grant(new DecisionId("abcdefghij-1"), opening, List.of(List.of(addresses)), Instant.EPOCH),
                "why",
                "me",
                Instant.EPOCH,
                Standing.GRANTED);
    }

    private static GrantRecord usual() {
        return record(Opening.parse("docs.test", Opening.USUAL_PORTS, List.of("GET"), List.of("/v1/**")));
    }

    private Path written(String text) throws IOException {
        return Files.writeString(folder.resolve("p.yaml"), text);
    }

    private static Promotion promotion(GrantRecord record, Path file)
            throws IOException, PolicySyntaxException, BadPolicyException {
        return Promotion.of(record, PolicyFiles.load(file));
    }

    private String promoted(String text, GrantRecord record) throws Exception {
        var file = written(text);
        promotion(record, file).write();
        return Files.readString(file);
    }

    @Test
    void a_rule_is_added_and_every_other_character_stays() throws Exception {
        var text = """
                # the cage of the docs
                net:   # outside
                    hosts:
                    -   host: b.test   # first
                        methods: [ GET ]

                    # last
                tool: x
                """;
        assertThat(promoted(text, usual())).isEqualTo("""
                # the cage of the docs
                net:   # outside
                    hosts:
                    -   host: b.test   # first
                        methods: [ GET ]
                    - {host: docs.test, methods: [GET], paths: ["/v1/**"]}

                    # last
                tool: x
                """);
    }

    @Test
    void what_is_usual_is_left_out_and_what_is_not_is_said() throws Exception {
        var everything = Opening.parse("docs.test", Opening.USUAL_PORTS, List.of("GET"), Opening.USUAL_PATHS);
        assertThat(promoted("tool: x\n", record(everything)))
                .isEqualTo("tool: x\nnet: {hosts: [{host: docs.test, methods: [GET]}]}\n");

        var odd = Opening.parse("docs.test", List.of(8443), List.of("GET"), List.of("/a b"));
        assertThat(promoted("net: {hosts: []}\n", record(odd, "10.0.0.5")))
                .isEqualTo("net: {hosts: [{host: docs.test, methods: [GET], paths: [\"/a b\"], port: [8443],"
                        + " addresses: [\"10.0.0.5\"]}]}\n");
    }

    @Test
    void a_file_in_json_stays_one() throws Exception {
        assertThat(promoted("{\"tool\": \"x\", \"net\": {\"hosts\": []}}\n", usual()))
                .isEqualTo("{\"tool\": \"x\", \"net\": {\"hosts\": [{\"host\": \"docs.test\", \"methods\": [\"GET\"],"
                        + " \"paths\": [\"/v1/**\"]}]}}\n");
    }

    @Test
    void what_changes_is_told_and_what_is_allowed_already_changes_nothing() throws Exception {
        assertThat(promotion(usual(), written("tool: x\n")).changes())
                .extracting(Object::toString)
                .containsExactly("+ net.hosts: GET docs.test:80 /v1/**", "+ net.hosts: GET docs.test:443 /v1/**");
        assertThat(promotion(usual(), written("net: {hosts: [{host: docs.test}]}\n"))
                        .changes())
                .isEmpty();
        assertThat(promotion(usual(), written("net: {hosts: [{host: docs.test, paths: [/v2/**]}]}\n"))
                        .changes())
                .isNotEmpty();
    }

    @Test
    void a_file_that_was_changed_meanwhile_is_left_alone() throws Exception {
        var file = written("tool: x\n");
        var promotion = promotion(usual(), file);
        Files.writeString(file, "tool: y\n");

        assertThatThrownBy(promotion::write)
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("was changed meanwhile, and nothing was written (expected: try again)");
        assertThat(file).hasContent("tool: y");
        assertThat(folder).isDirectoryContaining(one -> one.equals(file));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void the_file_keeps_its_mode() throws Exception {
        var file = written("tool: x\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        promotion(usual(), file).write();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void a_policy_without_a_network_gets_no_rule_that_changes_nothing() throws Exception {
        var file = written("net: {mode: none}\n");
        assertThatThrownBy(() -> promotion(usual(), file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(
                        "net.mode is none, and a rule would change nothing (expected: a policy with a network)");
    }

    @Test
    void a_file_that_is_no_policy_is_an_error() throws Exception {
        var file = written("net: {hosts: x}\n");
        assertThatThrownBy(() -> promotion(usual(), file)).isInstanceOf(PolicySyntaxException.class);
    }
}
