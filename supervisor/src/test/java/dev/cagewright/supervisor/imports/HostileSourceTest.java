package dev.cagewright.supervisor.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sources that mean harm, are broken, or are of nobody: each is one clean refusal with its place.
class HostileSourceTest {
    private static final Places PLACES = new Places(Path.of("/home/ada"), Path.of("/home/ada/app"));

    private static PolicyImport imported(String name, String text) throws ImportException {
        return imported(name, text.getBytes(StandardCharsets.UTF_8), Optional.empty());
    }

    private static PolicyImport imported(String name, byte[] bytes, Optional<Format> from) throws ImportException {
        return PolicyImport.of(new PolicyImport.Wish(name, from, Optional.empty()), bytes, PLACES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "domains: {allow: [a.test, 7]}|c:1:27: domains.allow[1]: a whole number (expected: a text)",
                "domains: {allow: a.test}|c:1:18: domains.allow: a string (expected: a list of texts)",
                "domains: {mode: true}|c:1:17: domains.mode: true or false (expected: a text)",
                "container: [a]|c:1:12: container: a list (expected: keys and values)",
                "container: {}\\ncapture: {enable_har: 'yes'}|c:2:23: capture.enable_har: a string (expected: true or false)",
                "container: {}\\nports: {tcp: {allow: [70000]}}|c: ports.tcp.allow: 70000 is no port",
                "tool: a\\ntool: b|c:2:1: duplicate key \"tool\" (first at 1:1; keep one of them)",
                "sandbox_mode = 'x'|c: sandbox_mode: x (expected: read-only, workspace-write or danger-full-access)",
                "sandbox_mode = 1|c:1:16: sandbox_mode: a whole number (expected: a text)",
                "default_permissions = 'p'|c: default_permissions: there is no profile p",
                "sandbox_mode = 'read-only'\\nsandbox_mode = 'x'|c:2:1: duplicate key \"sandbox_mode\", first at 1:1",
                "{\"network\": {\"allowedDomains\": 7}}|c: network.allowedDomains: a whole number (expected: a list of texts)",
                "{\"network\": 1, \"network\": 2}|c: ",
                "{\"network\": |c: ",
                "a: 1|c: no format is known that has these keys (say which with --from: agentcage, toolcage, sandbox-runtime, codex)",
                "{tool: a, container: {}}|c: ",
                "tool: a\\ncontainer: {}|c: this could be of agentcage or toolcage (say which with --from: agentcage, toolcage, sandbox-runtime, codex)",
                "- a|c: a list (expected: keys and values)",
                "``|c: "
            })
    void what_is_wrong_is_said_with_its_place(String text, String message) {
        assertThatThrownBy(() -> imported("c", text.replace("\\n", "\n")))
                .isInstanceOf(ImportException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void bombs_and_bytes_that_are_no_text_are_refused_at_once() {
        assertThatThrownBy(() -> imported("c", "tool: " + "[".repeat(100_000))).isInstanceOf(ImportException.class);
        assertThatThrownBy(() -> imported("c", "{\"network\": " + "[".repeat(100_000)))
                .isInstanceOf(ImportException.class);
        assertThatThrownBy(() -> imported("c", "{\"network\": " + "{\"a\":".repeat(40) + "1" + "}".repeat(41)))
                .isInstanceOf(ImportException.class);
        assertThatThrownBy(() -> imported("c", "sandbox_mode = " + "[".repeat(100_000)))
                .isInstanceOf(ImportException.class);
        assertThatThrownBy(() -> imported("c", "tool: a\n" + "#".repeat(1 << 20)))
                .hasMessage("c:1:1: more than 1 MiB (is this the right file?)");
        assertThatThrownBy(() -> imported("c", "tool: &a [b]\nfs: *a\n")).hasMessageContaining("is not allowed");
        assertThatThrownBy(() -> imported("c", new byte[] {'t', ':', ' ', (byte) 0xff}, Optional.empty()))
                .hasMessageContaining("byte FF is not UTF-8");
        assertThatThrownBy(() -> imported("c", "domains: {allow: [\"a\u202e.test\"]}"))
                .hasMessageContaining("U+202E");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.test",
                "a.test/x",
                "*",
                "*.",
                "a b.test",
                "169.254.169.254.",
                "0x7f.1",
                "user@a.test",
                "a.test\\n- host",
                "**.a.test",
                "a..test",
                "{}",
                "a.test, methods: [GET]",
                "\\u0441om.test"
            })
    void what_is_no_host_here_is_left_out_with_the_readers_words(String host) throws ImportException {
        var made = imported("c", "container: {}\ndomains: {allow: [\"" + host + "\", ok.test]}");

        assertThat(made.text()).contains("- {host: ok.test}");
        assertThat(made.text().lines().filter(line -> line.contains("{host: "))).hasSize(1);
        assertThat(made.remarks())
                .anySatisfy(remark -> assertThat(remark.toString()).startsWith("left out: domains.allow[0]: "));
    }

    @Test
    void names_and_keys_of_a_source_cannot_write_lines_of_the_policy() throws ImportException {
        var made = imported("c\nnet: {mode: observe}", """
                name: "x\\nmode: observe"
                container: {volumes: ["/usr/share:/a\\nb:rw", "/usr/share:/data, mode: rw}"], command: ["a\\nb", "--x: y"]}
                "key\\nnet: {hosts: [{host: evil.test}]}": 1
                domains: {allow: []}
                """);

        assertThat(made.text()).doesNotContain("\nnet: {", "\nmode:", "\nb:");
        assertThat(made.text().lines().filter(line -> line.startsWith("net:"))).containsExactly("net:");
        assertThat(made.text()).contains("tool: imported-agentcage");
        assertThat(made.remarks())
                .allSatisfy(remark -> assertThat(remark.toString()).doesNotContain("\n"));
    }

    @Test
    void thousands_of_entries_are_bounded_and_the_rest_is_named() throws ImportException {
        var text = new StringBuilder("container: {}\ndomains:\n  allow:\n");
        for (int i = 0; i < 2_500; i++) {
            text.append("    - h").append(i).append(".test\n");
        }
        var made = imported("c", text.toString());

        assertThat(made.text().lines().filter(line -> line.contains("{host: "))).hasSize(2_000);
        assertThat(made.text()).contains("left out: domains.allow[2000]: more than 2000 entries", "... and 300 more");
    }

    @Test
    void a_profile_that_extends_itself_and_one_of_nobody_are_refused() {
        assertThatThrownBy(() -> imported("c", """
                        default_permissions = "a"
                        [permissions.a]
                        extends = "b"
                        [permissions.b]
                        extends = "a"
                        """)).hasMessage("c: default_permissions: a extends itself");
        assertThatThrownBy(() -> PolicyImport.of(
                        new PolicyImport.Wish("c", Optional.empty(), Optional.of("p")),
                        "tool: a".getBytes(StandardCharsets.UTF_8),
                        PLACES))
                .hasMessage("c: a policy of toolcage has no profiles");
    }
}
